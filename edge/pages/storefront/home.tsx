// The shop's first screen: its collections, a lookbook with what can be bought in its pictures, and what is featured.
import type { LookbookImage } from '#proto/gen/client/message.ts';
import { Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { money, useAnswer, Waits } from './part.tsx';

const LookPicture = ({ image, title }: { readonly image: LookbookImage; readonly title: string }) => (
  <figure class="look">
    <img src={image.url} alt={title} loading="lazy" />
    {image.hotspots.map((spot) => (
      <a
        key={spot.id}
        class="spot"
        href={`#/product/${spot.product_slug ?? spot.product_id}`}
        style={{ left: `${spot.x}%`, top: `${spot.y}%` }}
      >
        <span aria-hidden="true">+</span>
        <i class="unseen">
          {spot.label ?? 'Product'}, {money(spot.price, spot.currency)}
          {spot.in_stock ? '' : ', sold out'}
        </i>
      </a>
    ))}
  </figure>
);

export const Home = ({ shop }: { readonly shop: OpenShop }) => {
  const { value, problem } = useAnswer(async () => {
    const [{ store }, { collections }, { lookbooks }, { products }] = await Promise.all([
      shop.api.store.get({ fields: ['name', 'description'] }),
      shop.api.productCollections.list({ limit: 6 }),
      shop.api.lookbooks.list({ limit: 1 }),
      shop.api.products.list({ sort: 'featured', limit: 8 }),
    ]);
    return { store, collections, lookbook: lookbooks[0], products };
  }, []);
  if (value === null) return <Waits problem={problem} />;
  const { store, collections, lookbook, products } = value;
  return (
    <>
      <section class="hero">
        <h1>{store.name}</h1>
        <p>{store.description}</p>
      </section>
      <h2>Collections</h2>
      <ul class="collections">
        {collections.map(({ id, slug, name, image, description }) => (
          <li key={id}>
            <a class="collection" href={`#/collection/${slug}`}>
              {image && <img src={image} alt="" loading="lazy" />}
              <b>{name}</b>
              <span>{description}</span>
            </a>
          </li>
        ))}
      </ul>
      {lookbook && (
        <section>
          <h2>{lookbook.title}</h2>
          <p>{lookbook.description}</p>
          <div class="looks">
            {lookbook.images.map((image) => (
              <LookPicture key={image.url} image={image} title={lookbook.title} />
            ))}
          </div>
        </section>
      )}
      <h2>Featured</h2>
      <Cards products={products} />
    </>
  );
};
