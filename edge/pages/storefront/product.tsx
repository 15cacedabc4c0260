// One product: its pictures, its variants with what is left of each, what buyers say of it, and what is like it.

import { useState } from 'preact/hooks';
import type { Product, Variant } from '#proto/gen/client/message.ts';
import type { OpenShop } from './client.ts';
import { Field, money, Picture, Stars, sentenceOf, useAnswer, Waits } from './part.tsx';

const LOW = 5;

interface Sold {
  readonly id: string;
  readonly name: string;
  readonly price: number | null;
  readonly selling: number | null;
  readonly stock: number;
  readonly picture: string | null;
}

const soldOf = (variant: Variant): Sold => ({
  id: variant.variant_id,
  name: variant.variant_name ?? Object.values(variant.variant_attributes ?? {}).join(', '),
  price: variant.price,
  selling: variant.selling_price,
  stock: variant.stock,
  picture: variant.thumbnail_url,
});

const variantsOf = (product: Product): readonly Sold[] =>
  product.variants?.map(soldOf) ?? [
    {
      id: product.variant_id ?? product.id,
      name: '',
      price: product.price ?? null,
      selling: product.selling_price ?? null,
      stock: product.stock ?? 0,
      picture: null,
    },
  ];

const stockSentence = (stock: number): string => {
  if (stock <= 0) return 'Sold out';
  return stock <= LOW ? `Only ${stock} left` : 'In stock';
};

const Gallery = ({ product, first }: { readonly product: Product; readonly first: string | null }) => {
  const urls = [first, product.thumbnail_url, ...product.media.map(({ url }) => url)].filter((url) => url !== null);
  const [at, setAt] = useState(0);
  const all = [...new Set(urls)];
  return (
    <div class="gallery">
      <Picture url={all[at] ?? null} name={product.name} />
      {all.length > 1 && (
        <div class="thumbs">
          {all.map((url, index) => (
            <button
              key={url}
              type="button"
              aria-label={`Picture ${index + 1}`}
              aria-pressed={index === at}
              onClick={() => setAt(index)}
            >
              <img src={url} alt="" />
            </button>
          ))}
        </div>
      )}
    </div>
  );
};

interface BuyProps {
  readonly shop: OpenShop;
  readonly product: Product;
  readonly bought: () => void;
}

const Buy = ({ shop, product, bought }: BuyProps) => {
  const variants = variantsOf(product);
  const [id, setId] = useState((variants.find(({ stock }) => stock > 0) ?? variants[0]!).id);
  const [quantity, setQuantity] = useState(1);
  const [told, setTold] = useState('');
  const chosen = variants.find((each) => each.id === id) ?? variants[0]!;
  const add = async (): Promise<void> => {
    try {
      await shop.api.cart.items.add({ variant_id: chosen.id, quantity });
      setTold('It is in your cart.');
      bought();
    } catch (problem) {
      setTold(sentenceOf(problem));
    }
  };
  return (
    <div class="buy">
      <p class="price">
        {money(chosen.selling, product.display_currency)}{' '}
        {chosen.price !== null && chosen.selling !== null && chosen.price > chosen.selling && (
          <s>{money(chosen.price, product.display_currency)}</s>
        )}
      </p>
      {variants.length > 1 && (
        <fieldset>
          <legend>Choose</legend>
          {variants.map((each) => (
            <label key={each.id} class="choice">
              <input type="radio" name="variant" checked={each.id === id} onChange={() => setId(each.id)} />
              {each.name} <small>{stockSentence(each.stock)}</small>
            </label>
          ))}
        </fieldset>
      )}
      <p class={chosen.stock > 0 ? 'there' : 'gone'}>{stockSentence(chosen.stock)}</p>
      <Field label="Pieces">
        <input
          type="number"
          min={1}
          max={Math.max(1, chosen.stock)}
          value={quantity}
          onInput={({ currentTarget }) => setQuantity(Math.max(1, Math.floor(Number(currentTarget.value) || 1)))}
        />
      </Field>
      <button
        type="button"
        class="go"
        disabled={chosen.stock <= 0 || chosen.selling === null}
        onClick={() => void add()}
      >
        Add to cart
      </button>
      <p role="status">{told}</p>
    </div>
  );
};

const Reviews = ({ shop, id }: { readonly shop: OpenShop; readonly id: string }) => {
  const { value } = useAnswer(async () => shop.api.reviews.list({ product_id: id, limit: 5, sort: 'helpful' }), [id]);
  if (!value || value.reviews.length === 0) return null;
  return (
    <section>
      <h2>What buyers say</h2>
      <ul class="reviews">
        {value.reviews.map((review) => (
          <li key={review.id}>
            <Stars rating={review.rating} count={review.helpful_count} />
            <b>{review.title}</b>
            <p>{review.body}</p>
            <small>
              {review.customer_name}
              {review.verified_purchase ? ', bought it here' : ''}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

interface ProductProps {
  readonly shop: OpenShop;
  readonly slug: string;
  readonly bought: () => void;
}

export const ProductScreen = ({ shop, slug, bought }: ProductProps) => {
  const { value, problem } = useAnswer(() => shop.api.products.getBySlug({ slug }), [slug]);
  if (value === null) return <Waits problem={problem} />;
  return (
    <>
      <div class="product">
        <Gallery key={value.id} product={value} first={null} />
        <div>
          <h1>{value.name}</h1>
          <Stars rating={value.average_rating} count={value.review_count} />
          <p>{value.description}</p>
          <Buy key={value.id} shop={shop} product={value} bought={bought} />
        </div>
      </div>
      <Reviews shop={shop} id={value.id} />
    </>
  );
};
