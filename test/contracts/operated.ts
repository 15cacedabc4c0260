// An operator over one merchant, with a section, groups of orders, and a provider that pays them.
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Stoa, sendTo } from '#test/support/stoa.ts';
import { type Owner, type Records, requireSuccess } from './owner.ts';

type Operated = Pick<Owner, 'operatorKey' | 'operatorTestKey'> & {
  readonly records: Pick<Records, 'section' | 'checkout' | 'sandboxCheckout' | 'operatorProvider'>;
};

/** `items` of the store in production. */
export const openOperated = async (
  stoa: Stoa,
  keys: Keys,
  word: string,
  items: readonly object[],
): Promise<Operated> => {
  const { operator_key: operatorKey, operator_test_key: operatorTestKey } = ok(
    await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, { name: word, stores: [keys.store_id] }),
  );
  const ask = (method: string, path: string, body: unknown, key = operatorKey) =>
    requireSuccess(sendTo(stoa.url, method, path, { key, body }));
  const section = `section-${keys.code}`;
  await ask('PUT', `/v1/marketplace/collections/${section}`, {
    name: word,
    placement_kind: 'merchant',
    items: [{ merchant_store_id: keys.store_id }],
  });
  const { provider } = await ask('POST', '/v1/marketplace/payment-providers', {
    provider: 'own_bank',
    name: word,
    custom_provider: true,
    initialize_url: 'https://pay.invalid/initialize',
    verify_url: 'https://pay.invalid/verify',
    signing_secret: 'a-secret-of-both-sides',
  });
  /** A group of one order. */
  const place = async (key: string, wanted: readonly object[]): Promise<string> => {
    const body = {
      lines: wanted.map((item) => ({ ...item, store_id: keys.store_id })),
      email: `${word}@example.com`,
      shipping_address: { line1: word, city: word, country: 'KE' },
    };
    return (await ask('POST', '/v1/cart/checkout', body, key)).checkout.group_id;
  };
  const product = { name: word, price: 10, stock: 5, shipping_info: { requires_shipping: false } };
  const { variant_id } = await ask('POST', '/v1/products', product, keys.secret_test_key);
  return {
    operatorKey,
    operatorTestKey,
    records: {
      section,
      checkout: await place(operatorKey, items),
      sandboxCheckout: await place(operatorTestKey, [{ variant_id, quantity: 1 }]),
      operatorProvider: provider.id,
    },
  };
};
