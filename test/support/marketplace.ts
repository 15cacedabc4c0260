// Creates a marketplace for tests: an operator with several merchants, each with products, all in one environment.
import { expect } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import type { Keys, Reply, SendOptions, Stoa } from '#test/support/stoa.ts';

export const KENYA = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** A merchant of the mall. */
export interface Member {
  readonly keys: Keys;
  readonly store: string;
  /** Variants on sale, at 10.00 each by default. */
  readonly variants: readonly string[];
  /** With its secret key of the mall's environment; `sign` signs. */
  readonly send: Call;
  readonly sign: Call;
  level(variant?: string): Promise<{ on_hand: number; held: number; available: number }>;
  orders(): Promise<StoreOrder[]>;
}

export interface Line {
  readonly store_id: string;
  readonly variant_id: string;
  readonly quantity: number;
}

export interface Marketplace {
  readonly operator: {
    readonly operator_id: string;
    readonly operator_key: string;
    readonly operator_test_key: string;
  };
  readonly members: readonly Member[];
  /** With the operator's key of the mall's environment. */
  readonly send: Call;
  /** One piece of the first thing of each stall unless lines are given. */
  checkout(lines?: readonly Line[], more?: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export interface MarketplaceOptions {
  readonly environment?: 'production' | 'sandbox';
  readonly merchants?: number;
  readonly variants?: number;
  readonly stock?: number;
  readonly price?: number;
  /** Repeats requests that a busy machine refuses. */
  readonly patient?: boolean;
  /** Fields of each new store. */
  readonly store?: Readonly<Record<string, unknown>>;
}

export const lineOf = (member: Member, quantity = 1, variant = member.variants[0]!): Line => ({
  store_id: member.store,
  variant_id: variant,
  quantity,
});

export const openMember = async (
  stoa: Pick<Stoa, 'createStore' | 'send'>,
  options: MarketplaceOptions = {},
): Promise<Member> => {
  const {
    environment = 'sandbox',
    variants: count = 1,
    stock = 100,
    price = 10,
    patient = false,
    store = {},
  } = options;
  const keys = await stoa.createStore({ plan: 'enterprise', ...store });
  const live = environment === 'production';
  const key = live ? keys.secret_key : keys.secret_test_key;
  const signWith = live ? keys.hmac_secret : keys.hmac_test_secret;
  const ask =
    (more: SendOptions): Call =>
    (method, path, body, headers = {}) =>
      stoa.send(method, path, { key, patient, ...more, headers, ...(body === undefined ? {} : { body }) });
  const send = ask({});
  const variants: string[] = [];
  for (let at = 0; at < count; at++) {
    const product = { name: `Thing ${at}`, price, stock, shipping_info: { requires_shipping: false } };
    const made = await send('POST', '/v1/products', product);
    expect(made.status, made.text).toBe(201);
    variants.push(made.body.variant_id);
  }
  return {
    keys,
    store: keys.store_id,
    variants,
    send,
    sign: ask({ signWith }),
    level: async (variant = variants[0]!) => (await send('GET', `/v1/inventory/${variant}`)).body.inventory,
    orders: async () => (await send('GET', '/v1/orders')).body.orders,
  };
};

export const openOperator = async ({ services }: Pick<Stoa, 'services'>, stores: readonly string[]) =>
  ok(await services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, { name: 'Mall', stores: [...stores] }));

export const openMarketplace = async (stoa: Stoa, options: MarketplaceOptions = {}): Promise<Marketplace> => {
  const { environment = 'sandbox', merchants = 2, patient = false } = options;
  const members: Member[] = [];
  for (let at = 0; at < merchants; at++) members.push(await openMember(stoa, options));
  const operator = await openOperator(
    stoa,
    members.map(({ store }) => store),
  );
  const key = environment === 'production' ? operator.operator_key : operator.operator_test_key;
  const send: Call = (method, path, body, headers = {}) =>
    stoa.send(method, path, { key, patient, headers, ...(body === undefined ? {} : { body }) });
  return {
    operator,
    members,
    send,
    checkout: (lines = members.map((member) => lineOf(member)), more = {}, headers = {}) =>
      send('POST', '/v1/cart/checkout', { lines, email: 'ada@example.com', shipping_address: KENYA, ...more }, headers),
  };
};

/** Status, code and param of a refusal. */
export const refusalFields = ({ status, body }: Reply): unknown[] => [status, body.error.code, body.error.param];
