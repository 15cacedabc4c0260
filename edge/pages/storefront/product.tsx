// Screen of a product: pictures, variants, description, specifications, reviews and similar products.
import { useEffect, useState } from 'preact/hooks';
import type { Product } from '#proto/gen/client/message.ts';
import { noteChoice } from './address.ts';
import { useRequest } from './answer.ts';
import { Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { LoadingOrError, Picture, Stars } from './component.tsx';
import { inCurrency } from './currency.ts';
import { Link } from './link.tsx';
import { sourceOf } from './picture.ts';
import { noteSeen, RecentlySeen } from './recent.tsx';
import { RichText } from './rich_text.tsx';
import { recordEvent } from './shopper_event.ts';
import { trailOf } from './trail.ts';
import { Buy, firstVariant, type ShopVariant, variantsOf } from './variant.tsx';
import { useWords } from './wording_context.ts';

const REVIEWS_SHOWN = 5;
const SIMILAR_SHOWN = 4;

interface GalleryProps {
  readonly product: Product;
  readonly first: string | null;
}

const Gallery = ({ product, first }: GalleryProps) => {
  const { text } = useWords();
  const shown = product.media.filter(({ type }) => type === 'image');
  const urls = [first, product.thumbnail_url, ...shown.map(({ url }) => url)].filter((url) => url !== null);
  const all = [...new Set(urls)];
  const [picked, setPicked] = useState<{ readonly of: string | null; readonly url: string } | null>(null);
  const now = picked?.of === first ? picked.url : (all[0] ?? null);
  const altOf = (url: string | null): string => shown.find((each) => each.url === url)?.alt_text || product.name;
  return (
    <div class="gallery">
      <Picture url={now} name={altOf(now)} eager sizes="(min-width: 48rem) 38rem, 100vw" />
      {all.length > 1 && (
        <div class="thumbs">
          {[...all]
            .sort((a, b) => urls.lastIndexOf(a) - urls.lastIndexOf(b))
            .map((url, index) => (
              <button
                key={url}
                type="button"
                aria-label={text('picture_of', { at: index + 1, count: all.length })}
                aria-pressed={url === now}
                onClick={() => setPicked({ of: first, url })}
              >
                <img {...sourceOf(url, '3.5rem')} alt="" />
              </button>
            ))}
        </div>
      )}
    </div>
  );
};

const Specifications = ({ shop, id }: { readonly shop: OpenShop; readonly id: string }) => {
  const { text } = useWords();
  const { value } = useRequest(() => shop.api.products.specifications.get({ id }), [id], `specifications/${id}`);
  if (!value || value.specifications.length === 0) return null;
  return (
    <section aria-labelledby="specifications">
      <h2 id="specifications">{text('details')}</h2>
      <dl class="facts">
        {value.specifications.map(({ group, name, value: said, unit }) => (
          <div key={`${group} ${name}`}>
            <dt>{name}</dt>
            <dd>
              {typeof said === 'boolean' ? text(said ? 'yes' : 'no') : said} {unit}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const Reviews = ({ shop, product }: { readonly shop: OpenShop; readonly product: Product }) => {
  const words = useWords();
  const { id, average_rating: rating, review_count: count } = product;
  const { value } = useRequest(
    async () => shop.api.reviews.list({ product_id: id, limit: REVIEWS_SHOWN, sort: 'helpful' }),
    [id],
    `reviews/${id}`,
  );
  if (!value || value.reviews.length === 0) return null;
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews">
        {words.text('reviews')} <Stars rating={rating} /> <small>{words.count(count, 'review')}</small>
      </h2>
      <ul class="reviews">
        {value.reviews.map((review) => (
          <li key={review.id}>
            <Stars rating={review.rating} />
            <h3 dir="auto">{review.title}</h3>
            <p dir="auto">{review.body}</p>
            <small>
              {review.customer_name}
              {review.verified_purchase && ` · ${words.text('verified')}`}
              {review.helpful_count > 0 && ` · ${words.text('helpful', { count: review.helpful_count })}`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

const SimilarProducts = ({ shop, product }: { readonly shop: OpenShop; readonly product: Product }) => {
  const { text } = useWords();
  const { id, category_id: category } = product;
  const { value } = useRequest(
    async () => {
      if (!category) return [];
      const asked = { category_id: category, in_stock: true, limit: SIMILAR_SHOWN + 1 };
      const { products } = await inCurrency(shop, (prices) => shop.api.products.list({ ...asked, ...prices }));
      return products.filter((each) => each.id !== id).slice(0, SIMILAR_SHOWN);
    },
    [id],
    `beside/${id}`,
  );
  if (!value || value.length === 0) return null;
  return (
    <section aria-labelledby="beside">
      <h2 id="beside">{text('similar')}</h2>
      <Cards products={value} />
    </section>
  );
};

interface ProductProps {
  readonly shop: OpenShop;
  readonly slug: string;
  readonly choice: URLSearchParams;
  readonly bought: (items: number) => void;
}

export const ProductScreen = ({ shop, slug, choice, bought }: ProductProps) => {
  const { text } = useWords();
  const answer = useRequest(
    () => inCurrency(shop, (prices) => shop.api.products.getBySlug({ slug, ...prices })),
    [slug],
    `product/${slug}`,
  );
  const { value } = answer;
  if (value === null)
    return (
      <>
        {answer.problem && <h1>{text('no_product')}</h1>}
        <LoadingOrError {...answer} />
        {answer.problem && <Link to="/products">{text('see_all')}</Link>}
      </>
    );
  return <ProductDetails key={value.id} shop={shop} product={value} first={choice.get('variant')} bought={bought} />;
};

interface ProductDetailsProps {
  readonly shop: OpenShop;
  readonly product: Product;
  /** Id of the variant that the address names. */
  readonly first: string | null;
  readonly bought: (items: number) => void;
}

const ProductDetails = ({ shop, product, first, bought }: ProductDetailsProps) => {
  const { text } = useWords();
  const variants = variantsOf(product);
  const [chosen, setChosen] = useState<ShopVariant>(() => firstVariant(variants, first));
  const choose = (variant: ShopVariant): void => {
    setChosen(variant);
    noteChoice(`/products/${product.product_slug ?? product.id}?variant=${variant.id}`);
  };
  useEffect(() => {
    recordEvent(shop, { event_type: 'view', product_id: product.id });
    noteSeen(product.id);
  }, [product.id]);
  return (
    <>
      <nav class="trail" aria-label={text('trail')}>
        <Link to="/products">{text('products')}</Link>
        {trailOf(shop, product).map(({ path, name }) => (
          <Link key={path} to={path}>
            {name}
          </Link>
        ))}
      </nav>
      <div class="product">
        <Gallery product={product} first={chosen.picture} />
        <div>
          {product.brand && <p class="soft">{product.brand}</p>}
          <h1 dir="auto">{product.name}</h1>
          <Stars rating={product.average_rating} count={product.review_count} />
          <Buy
            shop={shop}
            product={product.id}
            name={product.name}
            currency={product.display_currency}
            variants={variants}
            chosen={chosen}
            choose={choose}
            bought={bought}
          />
          <RichText text={product.description} />
        </div>
      </div>
      <Specifications shop={shop} id={product.id} />
      <Reviews shop={shop} product={product} />
      <SimilarProducts shop={shop} product={product} />
      <RecentlySeen shop={shop} without={product.id} />
    </>
  );
};
