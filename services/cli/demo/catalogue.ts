// Seeds a demo shop's catalogue through the public API. Keeps existing records, so that an interrupted run can be
// repeated.
import type { CategoryResponse, ListCategoriesResponse } from '#proto/gen/category.ts';
import type { CollectionResponse, ProductCollection } from '#proto/gen/collection.ts';
import type { ListedProduct, Product } from '#proto/gen/product.ts';
import type { StorePromotion } from '#proto/gen/promotion.ts';
import type { ShippingConfig } from '#proto/gen/shipping_config.ts';
import type { ListPoliciesResponse } from '#proto/gen/store.ts';
import type { StoreTaxRate } from '#proto/gen/tax_rate.ts';
import type { Client } from './client.ts';
import type { DemoShop } from './data.ts';
import { collectionRequest, productRequest, promotionRequest, taxRateRequest } from './request.ts';

/** Writes profile and policies with the live key; both environments share them. */
export const seedStore = async (
  api: Client,
  { profile, policies: written, translations }: DemoShop,
  pictures: string,
): Promise<void> => {
  await api.patch('/v1/store', profile(pictures));
  const { policies } = await api.get<ListPoliciesResponse>('/v1/store/policies');
  const published = new Set(policies.map(({ type }) => type));
  for (const { type, title, body } of written)
    if (!published.has(type))
      await api.put(`/v1/store/policies/${type}`, {
        title,
        body,
        publish: true,
        translations: translations.policies[type],
      });
};

export const seedCatalogue = async (api: Client, shop: DemoShop, pictures: string): Promise<void> => {
  const subcategories = await seedCategories(api, shop);
  const products = await seedProducts(api, shop, subcategories, pictures);
  await seedCollections(api, shop, products, pictures);
  await seedPrices(api, shop, subcategories);
  await seedDelivery(api, shop, subcategories);
};

const seedCategories = async (
  api: Client,
  { categories: wanted, translations }: DemoShop,
): Promise<ReadonlyMap<string, string>> => {
  const { categories } = await api.get<ListCategoriesResponse>('/v1/categories');
  const ids = new Map<string, string>();
  for (const { name, description, subcategories } of wanted) {
    const found = categories.find((it) => it.name === name);
    const parent_id =
      found?.id ?? (await create(api, { name, description, translations: translations.categories[name] }));
    ids.set(name, parent_id);
    for (const { name } of subcategories)
      ids.set(
        name,
        found?.subcategories.find((it) => it.name === name)?.id ??
          (await create(api, { name, parent_id, translations: translations.categories[name] })),
      );
  }
  return ids;
};

const create = async (api: Client, body: object): Promise<string> =>
  (await api.post<CategoryResponse>('/v1/categories', body)).category.id;

/** Creates the products and returns their ids by name. Creates one at a time, because lists are ordered by creation. */
const seedProducts = async (
  api: Client,
  shop: DemoShop,
  subcategories: ReadonlyMap<string, string>,
  pictures: string,
): Promise<ReadonlyMap<string, string>> => {
  const listed = await api.all<Pick<ListedProduct, 'id' | 'name'>>('/v1/products?fields=id,name&', 'products', 100);
  const ids = new Map(listed.map(({ id, name }) => [name, id]));
  for (const product of shop.products)
    if (!ids.has(product.name)) {
      const { id } = await api.post<Product>('/v1/products', productRequest(product, shop, subcategories, pictures));
      ids.set(product.name, id);
    }
  return ids;
};

const seedCollections = async (
  api: Client,
  shop: DemoShop,
  products: ReadonlyMap<string, string>,
  pictures: string,
): Promise<void> => {
  const listed = await api.all<ProductCollection>('/v1/product-collections?', 'collections', 200);
  const ids = new Map(listed.map(({ id, slug }) => [slug, id]));
  for (const [index, collection] of shop.collections.entries()) {
    const body = collectionRequest(collection, index + 1, pictures, shop.translations);
    const id =
      ids.get(collection.slug) ?? (await api.post<CollectionResponse>('/v1/product-collections', body)).collection.id;
    const product_ids = collection.products.map((name) => products.get(name) as string);
    await api.put(`/v1/product-collections/${id}/products`, { product_ids });
  }
};

const seedPrices = async (
  api: Client,
  { promotions: wanted, taxRates, exchangeRates }: DemoShop,
  categories: ReadonlyMap<string, string>,
): Promise<void> => {
  const promotions = await api.all<StorePromotion>('/v1/promotions?', 'promotions', 100);
  for (const promotion of wanted)
    if (!promotions.some(({ name }) => name === promotion.name))
      await api.post('/v1/promotions', promotionRequest(promotion, categories));
  const rates = await api.all<StoreTaxRate>('/v1/tax-rates?', 'tax_rates', 100);
  for (const rate of taxRates) {
    const body = taxRateRequest(rate, categories);
    const there = rates.some(({ name, category_id }) => name === body.name && category_id === body.category_id);
    if (!there) await api.post('/v1/tax-rates', body);
  }
  for (const { currency, ...rate } of exchangeRates) await api.put(`/v1/exchange-rates/${currency}`, rate);
};

/** Written only if there is no configuration yet, so that a merchant's changes stay. */
const seedDelivery = async (
  api: Client,
  { delivery }: DemoShop,
  categories: ReadonlyMap<string, string>,
): Promise<void> => {
  const { zones } = await api.get<ShippingConfig>('/v1/shipping/config');
  if (zones.length === 0) await api.put('/v1/shipping/config', delivery(categories));
};
