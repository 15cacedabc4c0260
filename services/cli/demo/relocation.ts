// Updates the URLs of the demo's pictures after the system's URL has changed.

import type { BlogPost } from '#proto/gen/blog.ts';
import type { ListCollectionsResponse } from '#proto/gen/collection.ts';
import type { StoreLookbook, UpdateLookbookRequest } from '#proto/gen/lookbook.ts';
import type { Product } from '#proto/gen/product.ts';
import type { MediaItem, MediaItemInput } from '#proto/gen/shared.ts';
import type { GetStoreResponse, UpdateStoreRequest } from '#proto/gen/store.ts';
import { Client } from './client.ts';
import { relocateChannel } from './connection.ts';
import type { DemoAccess } from './seed.ts';

const PAGE = 100;
const AT_ONCE = 4;
const PICTURE = /^https?:\/\/[^/]+(?=\/demo\/pictures\/)/;

/** Updates only the demo's own pictures; a merchant's replacements stay. */
export const relocatePictures = async ({
  baseUrl,
  secretKey,
  secretTestKey,
}: Omit<DemoAccess, 'hmacTestSecret'>): Promise<void> => {
  const live = new Client(baseUrl, secretKey);
  const moved = (url: string): string => url.replace(PICTURE, baseUrl);
  const { logo_url } = (await live.get<GetStoreResponse>('/v1/store')).store;
  if (logo_url && moved(logo_url) !== logo_url)
    await live.patch('/v1/store', { logo_url: moved(logo_url) } satisfies UpdateStoreRequest);
  const sandbox = new Client(baseUrl, secretTestKey);
  await Promise.all([relocate(live, moved), relocate(sandbox, moved), relocateChannel(sandbox)]);
};

type Moved = (url: string) => string;
interface Pictured {
  readonly media: readonly MediaItem[];
}

const relocateContent = async (api: Client, moved: Moved): Promise<void> => {
  for (const { id, cover_image } of await api.all<BlogPost>('/v1/blog/posts?', 'posts', PAGE))
    if (cover_image && moved(cover_image) !== cover_image)
      await api.patch(`/v1/blog/posts/${id}`, { cover_image: moved(cover_image) });
  for (const { id, featured_image, images } of await api.all<StoreLookbook>('/v1/lookbooks?', 'lookbooks', PAGE)) {
    const urls = [featured_image ?? '', ...images.map(({ url }) => url)];
    if (urls.every((url) => moved(url) === url)) continue;
    await api.patch(`/v1/lookbooks/${id}`, {
      featured_image: featured_image && moved(featured_image),
      images: images.map(({ url, hotspots }) => ({ url: moved(url), hotspots })),
    } satisfies Omit<UpdateLookbookRequest, 'id'>);
  }
};

const newMedia = ({ media }: Pictured, moved: Moved): { media: MediaItemInput[] } | null =>
  media.some(({ url }) => moved(url) !== url)
    ? { media: media.map((item) => ({ ...item, url: moved(item.url) })) }
    : null;

const relocateProduct = async (api: Client, id: string, moved: Moved): Promise<void> => {
  const product = await api.get<Product>(`/v1/products/${id}`);
  const media = newMedia(product, moved);
  if (media) await api.patch(`/v1/products/${id}`, media);
  for (const variant of product.variants ?? []) {
    const own = newMedia(variant, moved);
    if (own) await api.patch(`/v1/products/${id}/variants/${variant.variant_id}`, own);
  }
};

const relocate = async (api: Client, moved: Moved): Promise<void> => {
  await relocateContent(api, moved);
  const products = await api.all<Product>('/v1/products?', 'products', PAGE);
  const next = products.values();
  const move = async (): Promise<void> => {
    for (const { id } of next) await relocateProduct(api, id, moved);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, move));
  type Collection = ListCollectionsResponse['collections'][number];
  for (const { id, image, image_mobile } of await api.all<Collection>(
    '/v1/product-collections?',
    'collections',
    PAGE,
  )) {
    const given = { image, image_mobile };
    const wanted = { image: image && moved(image), image_mobile: image_mobile && moved(image_mobile) };
    if (JSON.stringify(given) !== JSON.stringify(wanted)) await api.patch(`/v1/product-collections/${id}`, wanted);
  }
};
