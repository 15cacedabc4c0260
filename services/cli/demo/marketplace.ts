// Creates a section of the demo's operator and two checkouts, each over both shops: one checkout is paid, the other awaits
// payment.

import type { CheckoutGroup, CheckoutResponse, PlaceCheckoutRequest } from '#proto/gen/checkout.ts';
import type { PutSectionItem, PutSectionRequest } from '#proto/gen/marketplace.ts';
import type { InitializePaymentResponse } from '#proto/gen/payment.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import { Client } from './client.ts';
import { HOME } from './purchase.ts';

const PAGE = 100;
const PATH = '/v1/cart/checkout';
const SECTION = '/v1/marketplace/collections/from-both-shops';

interface DemoCheckout {
  readonly email: string;
  readonly products: readonly [retail: string, trade: string];
  readonly paid: boolean;
}

export const CHECKOUTS: readonly DemoCheckout[] = [
  { email: 'neema.wanjala@example.com', products: ['Collar Carafe', 'House Espresso, 10 kg Sack'], paid: true },
  { email: 'joram.kiprop@example.com', products: ['Planting Trowel', 'Tea Towels, Bale of Fifty'], paid: false },
];

export interface MarketplaceAccess {
  readonly baseUrl: string;
  readonly operatorTestKey: string;
  readonly stores: readonly [retail: string, trade: string];
}

export const seedMarketplace = async ({ baseUrl, operatorTestKey, stores }: MarketplaceAccess): Promise<void> => {
  const operator = new Client(baseUrl, operatorTestKey);
  const placed = await operator.all<CheckoutGroup>(`${PATH}?`, 'checkouts', PAGE);
  await writeSection(operator, stores);
  const shelves = await Promise.all(stores.map((store) => variantsByName(operator, store)));
  for (const { email, products, paid } of CHECKOUTS) {
    const lines = products.map((name, at) => ({
      store_id: stores[at]!,
      variant_id: shelves[at]!.get(name)!,
      quantity: 1,
    }));
    const body: Omit<PlaceCheckoutRequest, 'customer_token'> = { lines, email, shipping_address: HOME };
    const known = placed.find((group) => group.email === email);
    const group = known ?? (await operator.post<CheckoutResponse>(PATH, body)).checkout;
    if (paid && group.status !== 'paid') await pay(operator, group);
  }
};

/** Shows the newest product of each shop. */
const writeSection = async (operator: Client, stores: MarketplaceAccess['stores']): Promise<void> => {
  const items = await Promise.all(
    stores.map(async (store): Promise<PutSectionItem> => {
      const path = `/v1/products?store_id=${store}&limit=1&fields=id`;
      const { products } = await operator.get<{ readonly products: readonly Pick<ListedProduct, 'id'>[] }>(path);
      return { merchant_store_id: store, product_id: products[0]!.id };
    }),
  );
  const section: Omit<PutSectionRequest, 'slug'> = { name: 'From both shops', placement_kind: 'product', items };
  await operator.put(SECTION, section);
};

const variantsByName = async (operator: Client, store: string): Promise<ReadonlyMap<string, string>> => {
  type Row = Pick<ListedProduct, 'name' | 'variant_id'>;
  const rows = await operator.all<Row>(`/v1/products?store_id=${store}&fields=name,variant_id&`, 'products', PAGE);
  return new Map(rows.flatMap(({ name, variant_id }) => (variant_id ? [[name, variant_id] as const] : [])));
};

const pay = async (operator: Client, { group_id }: CheckoutGroup): Promise<void> => {
  const existing = await operator.post<InitializePaymentResponse>(`${PATH}/${group_id}/pay`, {
    provider: 'card_checkout',
  });
  await operator.post(`/v1/sandbox/payments/${existing.reference}`, { outcome: 'succeed' });
};
