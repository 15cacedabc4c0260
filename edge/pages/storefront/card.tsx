// A product card in a grid.
import type { FoundProduct, ListedProduct } from '#proto/gen/client/message.ts';
import { Picture, Price, Stars } from './component.tsx';
import { Link } from './link.tsx';
import type { Text } from './wording.ts';
import { useWords } from './wording_context.ts';

export type CardProduct = Pick<
  ListedProduct | FoundProduct,
  | 'id'
  | 'name'
  | 'brand'
  | 'product_slug'
  | 'thumbnail_url'
  | 'selling_price'
  | 'price'
  | 'price_range'
  | 'display_currency'
  | 'average_rating'
  | 'review_count'
  | 'stock'
  | 'total_stock'
>;

const PERCENT = 100;

const badgeOf = ({ total_stock, stock, price, selling_price: selling }: CardProduct, text: Text): string => {
  if ((total_stock ?? stock ?? 0) <= 0) return text('sold_out');
  const lowered = price !== null && selling !== null && price > selling && price > 0;
  return lowered ? `−${Math.round((1 - selling / price) * PERCENT)}%` : '';
};

export const Card = ({ product }: { readonly product: CardProduct }) => {
  const { name, brand, price, selling_price: selling, price_range: range, display_currency: currency } = product;
  const badge = badgeOf(product, useWords().text);
  const from = range !== null && range !== undefined && range.min < range.max;
  return (
    <li>
      <Link class="card" to={`/products/${product.product_slug ?? product.id}`}>
        <span class="frame">
          <Picture url={product.thumbnail_url} name="" />
          {badge && <span class="badge">{badge}</span>}
        </span>
        <span class="name">{name}</span>
        {brand && <small>{brand}</small>}
        <Price selling={from ? range.min : selling} before={from ? null : price} currency={currency} from={from} />
        <Stars rating={product.average_rating} count={product.review_count} />
      </Link>
    </li>
  );
};

export const Cards = ({ products }: { readonly products: readonly CardProduct[] }) => (
  <ul class="cards">
    {products.map((product) => (
      <Card key={product.id} product={product} />
    ))}
  </ul>
);
