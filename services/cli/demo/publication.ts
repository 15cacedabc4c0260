// Publishes the demo shop's posts and lookbooks. Keeps existing ones, which it finds by slug.

import type { BlogPost, CreatePostRequest } from '#proto/gen/blog.ts';
import type { ProductCollection } from '#proto/gen/collection.ts';
import type { CreateLookbookRequest, StoreLookbook } from '#proto/gen/lookbook.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { Client } from './client.ts';
import { type DemoLookbook, type DemoPost, LOOKBOOKS, POSTS, TRANSLATIONS } from './data.ts';

const DAY_MS = 86_400_000;

const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString();

export const postRequest = ({ scene, daysAgo, ...post }: DemoPost, pictures: string, now: Date): CreatePostRequest => ({
  ...post,
  translations: TRANSLATIONS.posts[post.title],
  cover_image: `${pictures}/scene-${scene}-wide.svg`,
  status: daysAgo < 0 ? 'scheduled' : 'published',
  published_at: daysBefore(now, daysAgo),
});

type Ids = ReadonlyMap<string, string>;

const idOf = (ids: Ids, name: string): string => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo shop has no ${name}.`);
  return id;
};

const lookbookRequest = (
  { collection, daysAgo, images, ...lookbook }: DemoLookbook,
  products: Ids,
  collections: Ids,
  pictures: string,
  now: Date,
): CreateLookbookRequest => ({
  ...lookbook,
  translations: TRANSLATIONS.lookbooks[lookbook.title],
  featured_image: `${pictures}/scene-${images[0]?.scene}-tall.svg`,
  collection_id: idOf(collections, collection),
  status: 'published',
  published_at: daysBefore(now, daysAgo),
  images: images.map(({ scene, hotspots }) => ({
    url: `${pictures}/scene-${scene}-wide.svg`,
    hotspots: hotspots.map(({ product, ...place }) => ({ ...place, product_id: idOf(products, product) })),
  })),
});

export const seedPublications = async (api: Client, pictures: string, now: Date): Promise<void> => {
  const posts = new Set((await api.all<BlogPost>('/v1/blog/posts?fields=slug&', 'posts', 100)).map(({ slug }) => slug));
  for (const post of POSTS)
    if (!posts.has(post.slug)) await api.post('/v1/blog/posts', postRequest(post, pictures, now));
  const listed = await api.all<StoreLookbook>('/v1/lookbooks?fields=slug&', 'lookbooks', 100);
  const missing = LOOKBOOKS.filter((lookbook) => !listed.some(({ slug }) => slug === lookbook.slug));
  if (missing.length === 0) return;
  const products = await api.all<ListedProduct>('/v1/products?fields=id,name&', 'products', 100);
  const collections = await api.all<ProductCollection>('/v1/product-collections?fields=id,slug&', 'collections', 200);
  const productIds = new Map(products.map(({ id, name }) => [name, id]));
  const collectionIds = new Map(collections.map(({ id, slug }) => [slug, id]));
  for (const lookbook of missing)
    await api.post('/v1/lookbooks', lookbookRequest(lookbook, productIds, collectionIds, pictures, now));
};
