// The shop's first screen: the store, its collections, a lookbook with hotspots, and featured products.
import type { LookbookImage, ProductCollection } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import { useBrowser } from './browser_only.tsx';
import { type CardProduct, Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { LoadingOrError, Picture } from './component.tsx';
import { inCurrency } from './currency.ts';
import { Link } from './link.tsx';
import { sourceOf } from './picture.ts';
import { RecentlySeen } from './recent.tsx';
import { useWords } from './wording_context.ts';

const PERCENT = 100;
const COLLECTIONS_SHOWN = 6;
const PRODUCTS_SHOWN = 10;

interface LookProps {
  readonly image: LookbookImage;
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Positions of hotspots are fractions of the picture's width and height, from 0 to 1. */
const LookPicture = ({ image, title, names }: LookProps) => {
  const { text, money } = useWords();
  // The page's content policy forbids styles in the HTML, so that the browser's script places the spots.
  const shown = useBrowser();
  return (
    <figure class="look">
      <img {...sourceOf(image.url, '(min-width: 48rem) 38rem, 100vw')} alt={title} loading="lazy" />
      {image.hotspots.map((spot) => {
        const name = names[spot.product_id] ?? spot.label ?? text('a_product');
        return (
          <Link
            key={spot.id}
            class={`spot${spot.x > 0.5 ? ' left' : ''}`}
            to={`/products/${spot.product_slug ?? spot.product_id}`}
            style={shown ? { left: `${spot.x * PERCENT}%`, top: `${spot.y * PERCENT}%` } : undefined}
          >
            <span class="dot" aria-hidden="true">
              +
            </span>
            <span class="tip">
              <b>{name}</b> {money(spot.price, spot.currency)}
              {spot.in_stock ? '' : `, ${text('sold_out')}`}
            </span>
          </Link>
        );
      })}
    </figure>
  );
};

const Collections = ({ collections }: { readonly collections: readonly ProductCollection[] }) => (
  <section aria-labelledby="collections">
    <h2 id="collections">{useWords().text('collections')}</h2>
    <ul class="collections">
      {collections.map(({ id, slug, name, image, description }) => (
        <li key={id}>
          <Link class="collection" to={`/collections/${slug}`}>
            <Picture url={image} name="" />
            <span class="name">{name}</span>
            {description && <small>{description}</small>}
          </Link>
        </li>
      ))}
    </ul>
  </section>
);

/** Requests the names of products in lookbook pictures, which contain only ids. */
const namesOf = async (
  { api }: OpenShop,
  images: readonly LookbookImage[],
): Promise<Readonly<Record<string, string>>> => {
  const ids = [...new Set(images.flatMap(({ hotspots }) => hotspots.map((spot) => spot.product_id)))];
  if (ids.length === 0) return {};
  const { products } = await api.products.list({ ids, limit: ids.length, fields: ['id', 'name'] });
  return Object.fromEntries(products.map(({ id, name }) => [id, name]));
};

const askHome = async (shop: OpenShop) => {
  const { api } = shop;
  const [{ collections }, { lookbooks }, { products }] = await Promise.all([
    api.productCollections.list({ limit: COLLECTIONS_SHOWN }),
    api.lookbooks.list({ limit: 1 }),
    inCurrency(shop, (prices) => api.products.list({ sort: 'featured', limit: PRODUCTS_SHOWN, ...prices })),
  ]);
  const [lookbook] = lookbooks;
  return { collections, lookbook, products, names: await namesOf(shop, lookbook?.images ?? []) };
};

const Featured = ({ products }: { readonly products: readonly CardProduct[] }) => {
  const { text } = useWords();
  return (
    <section aria-labelledby="featured">
      <div class="headline">
        <h2 id="featured">{text('featured')}</h2>
        <Link to="/products">{text('see_everything')}</Link>
      </div>
      <Cards products={products} />
    </section>
  );
};

export const Home = ({ shop }: { readonly shop: OpenShop }) => {
  const answer = useRequest(() => askHome(shop), [], 'home');
  const { store } = shop;
  const { text } = useWords();
  const { value } = answer;
  return (
    <>
      <section class="hero">
        <div>
          <h1>{store.name}</h1>
          {store.branding?.tagline && <p class="tagline">{store.branding.tagline}</p>}
          {store.description && <p>{store.description}</p>}
          <Link class="go" to="/products">
            {text('see_all')}
          </Link>
        </div>
        {value?.lookbook?.featured_image && (
          <Picture url={value.lookbook.featured_image} name="" eager sizes="(min-width: 48rem) 38rem, 100vw" />
        )}
      </section>
      {value === null ? (
        <LoadingOrError {...answer} />
      ) : (
        <>
          {value.collections.length > 0 && <Collections collections={value.collections} />}
          {value.lookbook && (
            <section aria-labelledby="lookbook">
              <h2 id="lookbook">{value.lookbook.title}</h2>
              <p class="soft">{value.lookbook.description}</p>
              <div class="looks">
                {value.lookbook.images.map((image) => (
                  <LookPicture key={image.url} image={image} title={value.lookbook!.title} names={value.names} />
                ))}
              </div>
            </section>
          )}
          <RecentlySeen shop={shop} />
          {value.products.length > 0 ? (
            <Featured products={value.products} />
          ) : (
            <p>
              {text('no_products')} <code>npx stoa import</code> brings some;{' '}
              <a href={`${shop.setting.url ?? ''}/docs/guides/import`}>the guide</a> says how.
            </p>
          )}
        </>
      )}
    </>
  );
};
