// A product among others.
import type { FoundProduct, ListedProduct } from '#proto/gen/client/message.ts';
import { money, Picture, Stars } from './part.tsx';

export type CardProduct = Pick<
  ListedProduct | FoundProduct,
  | 'id'
  | 'name'
  | 'product_slug'
  | 'thumbnail_url'
  | 'selling_price'
  | 'price'
  | 'display_currency'
  | 'average_rating'
  | 'review_count'
  | 'stock'
  | 'total_stock'
>;

const isSoldOut = ({ stock, total_stock }: CardProduct): boolean => (total_stock ?? stock ?? 0) <= 0;

export const Card = ({ product }: { readonly product: CardProduct }) => {
  const { name, selling_price: selling, price, display_currency: currency } = product;
  return (
    <li>
      <a class="card" href={`#/product/${product.product_slug ?? product.id}`}>
        <Picture url={product.thumbnail_url} name="" />
        <b>{name}</b>
        <span>
          {money(selling, currency)}{' '}
          {price !== null && selling !== null && price > selling && <s>{money(price, currency)}</s>}
        </span>
        <Stars rating={product.average_rating} count={product.review_count} />
        {isSoldOut(product) && <small class="gone">Sold out</small>}
      </a>
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
