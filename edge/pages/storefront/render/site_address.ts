// Lists the addresses of a shop's pages for its sitemap.
import type { ShopFrame } from '#edge/pages/storefront/client.ts';
import type { Storefront } from '#proto/client/storefront.ts';
import type { SiteAddress } from './sitemap.ts';

/** Bound for the memory of one listing. */
const ADDRESSES_MAX = 500_000;
const PAGE_SIZE = 100;
const COLLECTIONS_MAX = 100;

const productAddresses = async (api: Storefront): Promise<readonly SiteAddress[]> => {
  const found: SiteAddress[] = [];
  const fields = ['id', 'product_slug', 'updated_at'] as const;
  for await (const { id, product_slug: slug, updated_at: changed } of api.products.list({ limit: PAGE_SIZE, fields })) {
    found.push({ path: `/products/${slug ?? id}`, changed });
    if (found.length >= ADDRESSES_MAX) break;
  }
  return found;
};

export const readAddresses = async (api: Storefront, frame: ShopFrame): Promise<readonly SiteAddress[]> => {
  const [{ collections }, products] = await Promise.all([
    api.productCollections.list({ limit: COLLECTIONS_MAX }),
    productAddresses(api),
  ]);
  const categories = frame.categories.flatMap(({ slug, subcategories }) => [
    slug,
    ...subcategories.map((each) => each.slug),
  ]);
  return [
    { path: '' },
    { path: '/products' },
    ...categories.map((slug) => ({ path: `/categories/${slug}` })),
    ...collections.map(({ slug, updated_at: changed }) => ({ path: `/collections/${slug}`, changed })),
    ...frame.policies.map(({ type }) => ({ path: `/policies/${type}` })),
    ...products,
  ];
};
