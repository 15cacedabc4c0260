// Creates stores' products and an operator, for tests of search and lists over all merchants.
import { expect } from 'vitest';
import { openOperator, refusalFields } from '#test/support/marketplace.ts';
import type { Keys, Stoa } from '#test/support/stoa.ts';

export const NOWHERE = '00000000-0000-4000-8000-000000000000';

export interface Row {
  readonly name: string;
  readonly [field: string]: unknown;
}
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly score: number;
  readonly merchant_store_id: string;
  readonly merchant_name: string;
  readonly display_currency: string;
}

/** Adds products one after another, so that their order by age is known. */
export const sell = async (stoa: Stoa, { secret_key: key }: Keys, rows: readonly Row[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const row of rows) {
    const { status, body, text } = await stoa.send('POST', '/v1/products', {
      key,
      body: { price: 10, stock: 1, ...row },
    });
    expect(status, text).toBe(201);
    ids.push(body.id);
  }
  return ids;
};

/** Creates an operator of these stores, with functions that search and list with its live key. */
export const openMarket = async (stoa: Stoa, shops: readonly Keys[]) => {
  const { operator_id, operator_key, operator_test_key } = await openOperator(
    stoa,
    shops.map(({ store_id }) => store_id),
  );
  const send = (method: string, path: string, body?: unknown, key = operator_key) =>
    stoa.send(method, path, { key, ...(body === undefined ? {} : { body }) });
  const answered = async (reply: ReturnType<typeof send>) => {
    const { status, body, text } = await reply;
    expect(status, text).toBe(200);
    return body;
  };
  return {
    operator_id,
    operator_test_key,
    send,
    search: (body: object, key?: string) => answered(send('POST', '/v1/search', body, key)),
    list: (query = '') => answered(send('GET', `/v1/products?${query}`)),
    refusal: async (method: string, path: string, body?: unknown) => refusalFields(await send(method, path, body)),
  };
};

export const names = ({ products }: { products: readonly Shown[] }): string[] => products.map(({ name }) => name);
export const sorted = (answer: { products: readonly Shown[] }): string[] => names(answer).toSorted();
export const pairs = (facet: { values: readonly { value: unknown; label: string; count: number }[] }) =>
  facet.values.map(({ value, label, count }) => [value, label, count]);
