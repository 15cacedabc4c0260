// Fills the demo shop through the public REST API, as a merchant would: nothing here has a back door. What is already
// there is left alone, so that a run that was cut short is simply run again.
import { createHmac } from 'node:crypto';
import type {
  CategoryResponse,
  CollectionResponse,
  ListCategoriesResponse,
  ListedProduct,
  Product,
  ProductCollection,
} from '#proto/gen/catalog.ts';
import type { StorePromotion, StoreTaxRate } from '#proto/gen/pricing.ts';
import type { ShippingConfig } from '#proto/gen/shipping.ts';
import type { ListPoliciesResponse } from '#proto/gen/store.ts';
import { CATEGORIES } from './category.ts';
import { Client } from './client.ts';
import { COLLECTIONS } from './collection.ts';
import { seedConversations } from './conversation.ts';
import { deliveryRequest } from './delivery.ts';
import { seedFeedback } from './feedback.ts';
import { POLICIES } from './policy.ts';
import { PROMOTIONS, TAX_RATES } from './price.ts';
import { PRODUCTS } from './product.ts';
import { seedPublications } from './publication.ts';
import { collectionRequest, productRequest, promotionRequest, taxRateRequest } from './request.ts';
import { seedSale } from './sale.ts';
import { DEMO_PASSWORD, type DemoShopper } from './shopper.ts';
import { profile } from './store.ts';

export interface DemoAccess {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly secretTestKey: string;
  readonly hmacTestSecret: string;
}

/**
 * The store's profile and policies, the whole catalogue in production and in the sandbox, there what shoppers do, and in both
 * what they say of it.
 */
export const seedDemo = async ({ baseUrl, secretKey, secretTestKey, hmacTestSecret }: DemoAccess): Promise<void> => {
  const pictures = `${baseUrl}/demo/pictures`;
  const live = new Client(baseUrl, secretKey);
  const sandbox = new Client(baseUrl, secretTestKey, hmacTestSecret);
  // Accounts of production open to the store's own secret alone.
  const livePassword = ({ email }: DemoShopper): string =>
    createHmac('sha256', secretKey).update(email).digest('base64url');
  await Promise.all([
    seedStore(live, pictures),
    seedCatalogue(live, pictures).then(() => seedFeedback(live, { passwordOf: livePassword, whole: false })),
    seedCatalogue(sandbox, pictures).then(() =>
      Promise.all([
        seedSale(sandbox),
        seedFeedback(sandbox, { passwordOf: () => DEMO_PASSWORD, whole: true }),
        seedPublications(sandbox, pictures, new Date()),
      ]),
    ),
    seedConversations(sandbox),
  ]);
};

/** Profile and policies are shared by both environments and written with the live key. */
const seedStore = async (api: Client, pictures: string): Promise<void> => {
  await api.patch('/v1/store', profile(pictures));
  const { policies } = await api.get<ListPoliciesResponse>('/v1/store/policies');
  const published = new Set(policies.map(({ type }) => type));
  for (const { type, title, body } of POLICIES)
    if (!published.has(type)) await api.put(`/v1/store/policies/${type}`, { title, body, publish: true });
};

const seedCatalogue = async (api: Client, pictures: string): Promise<void> => {
  const subcategories = await seedCategories(api);
  const products = await seedProducts(api, subcategories, pictures);
  await seedCollections(api, products, pictures);
  await seedPrices(api, subcategories);
  await seedDelivery(api, subcategories);
};

/** Answers the id of each category and subcategory by its name. */
const seedCategories = async (api: Client): Promise<ReadonlyMap<string, string>> => {
  const { categories } = await api.get<ListCategoriesResponse>('/v1/categories');
  const ids = new Map<string, string>();
  for (const { name, description, subcategories } of CATEGORIES) {
    const found = categories.find((it) => it.name === name);
    const parent_id = found?.id ?? (await create(api, { name, description }));
    ids.set(name, parent_id);
    for (const { name } of subcategories)
      ids.set(
        name,
        found?.subcategories.find((it) => it.name === name)?.id ?? (await create(api, { name, parent_id })),
      );
  }
  return ids;
};

const create = async (api: Client, body: object): Promise<string> =>
  (await api.post<CategoryResponse>('/v1/categories', body)).category.id;

/** Answers the id of each product by its name. One after the other: the newest come first in lists. */
const seedProducts = async (
  api: Client,
  subcategories: ReadonlyMap<string, string>,
  pictures: string,
): Promise<ReadonlyMap<string, string>> => {
  const listed = await api.all<Pick<ListedProduct, 'id' | 'name'>>('/v1/products?fields=id,name&', 'products', 100);
  const ids = new Map(listed.map(({ id, name }) => [name, id]));
  for (const product of PRODUCTS)
    if (!ids.has(product.name)) {
      const { id } = await api.post<Product>('/v1/products', productRequest(product, subcategories, pictures));
      ids.set(product.name, id);
    }
  return ids;
};

const seedCollections = async (api: Client, products: ReadonlyMap<string, string>, pictures: string): Promise<void> => {
  const listed = await api.all<ProductCollection>('/v1/product-collections?', 'collections', 200);
  const ids = new Map(listed.map(({ id, slug }) => [slug, id]));
  for (const [index, collection] of COLLECTIONS.entries()) {
    const body = collectionRequest(collection, index + 1, pictures);
    const id =
      ids.get(collection.slug) ?? (await api.post<CollectionResponse>('/v1/product-collections', body)).collection.id;
    const product_ids = collection.products.map((name) => products.get(name) as string);
    await api.put(`/v1/product-collections/${id}/products`, { product_ids });
  }
};

/** What is taken off and what is added: after all that it names. */
const seedPrices = async (api: Client, categories: ReadonlyMap<string, string>): Promise<void> => {
  const promotions = await api.all<StorePromotion>('/v1/promotions?', 'promotions', 100);
  for (const promotion of PROMOTIONS)
    if (!promotions.some(({ name }) => name === promotion.name))
      await api.post('/v1/promotions', promotionRequest(promotion, categories));
  const rates = await api.all<StoreTaxRate>('/v1/tax-rates?', 'tax_rates', 100);
  for (const rate of TAX_RATES) {
    const body = taxRateRequest(rate, categories);
    const there = rates.some(({ name, category_id }) => name === body.name && category_id === body.category_id);
    if (!there) await api.post('/v1/tax-rates', body);
  }
};

/** Written once: what a merchant drew anew since then is left alone. */
const seedDelivery = async (api: Client, categories: ReadonlyMap<string, string>): Promise<void> => {
  const { zones } = await api.get<ShippingConfig>('/v1/shipping/config');
  if (zones.length === 0) await api.put('/v1/shipping/config', deliveryRequest(categories));
};
