// Checks the metadata and requests of unary callers.
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { connectRpc, type RpcClient, UNARY_CODE, UnaryError } from '#runtime/grpc/grpc.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { unaryPath } from '#runtime/grpc/unary.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let store: Keys;
let client: RpcClient;
const contract = new ServiceRegistry(descriptors);

beforeAll(async () => {
  stoa = await sharedStoa();
  store = await stoa.createStore();
  client = connectRpc(stoa.services.address, '');
});
afterAll(async () => {
  client?.close();
});

type Headers = Readonly<Record<string, string>>;
const sandbox = (more: Headers = {}): Headers => ({
  'stoa-store': store.store_id,
  'stoa-environment': 'sandbox',
  ...more,
});

/** The answer, or the failure with its error object. */
const call = async (rpc: string, input: Parameters<ServiceRegistry['encodeInput']>[1], headers: Headers) => {
  try {
    const bytes = await client.unary(unaryPath(rpc), contract.encodeInput(rpc, input), headers, 10_000);
    return { code: 0, answer: contract.decodeOutput(rpc, bytes) as Record<string, unknown>, refusal: null };
  } catch (problem) {
    if (!(problem instanceof UnaryError)) throw problem;
    return { code: problem.code, answer: null, refusal: JSON.parse(problem.refusal) as Record<string, unknown> };
  }
};

describe('the metadata', () => {
  test.each([
    { says: 'no environment', headers: () => ({ 'stoa-store': store.store_id }), param: 'stoa-environment' },
    { says: 'another environment', headers: () => sandbox({ 'stoa-environment': 'prod' }), param: 'stoa-environment' },
    { says: 'its letter case', headers: () => sandbox({ 'stoa-environment': 'Sandbox' }), param: 'stoa-environment' },
    { says: 'no store', headers: () => ({ 'stoa-environment': 'sandbox' }), param: 'stoa-store' },
    { says: 'an unknown store', headers: () => sandbox({ 'stoa-store': randomUUID() }), param: 'stoa-store' },
    { says: 'a code in place of an id', headers: () => sandbox({ 'stoa-store': store.code }), param: 'stoa-store' },
    { says: 'another kind of key', headers: () => sandbox({ 'stoa-key-type': 'root' }), param: 'stoa-key-type' },
    { says: 'no id of a customer', headers: () => sandbox({ 'stoa-customer': 'ada' }), param: 'stoa-customer' },
    {
      says: 'a key too long',
      headers: () => sandbox({ 'stoa-idempotency-key': 'k'.repeat(256) }),
      param: 'stoa-idempotency-key',
    },
  ])('with $says is INVALID_ARGUMENT', async ({ headers, param }) => {
    const { code, refusal } = await call('Catalog/ListProducts', {}, headers());
    expect([code, refusal]).toMatchObject([UNARY_CODE.INVALID_ARGUMENT, { code: 'invalid_request', param }]);
  });

  test('names the tenant: a product of the sandbox is none of production', async () => {
    const made = await call('Catalog/CreateProduct', { name: 'Cup', price: 3 }, sandbox());
    const id = made.answer?.id as string;
    expect(await call('Catalog/GetProduct', { id }, sandbox())).toMatchObject({ code: 0, answer: { name: 'Cup' } });
    const { code } = await call('Catalog/GetProduct', { id }, sandbox({ 'stoa-environment': 'production' }));
    expect(code).toBe(UNARY_CODE.NOT_FOUND);
  });
});

describe('the request', () => {
  test.each<{ rpc: string; input: JsonObject; param: string }>([
    { rpc: 'Catalog/CreateProduct', input: { name: 'x'.repeat(501), price: 3 }, param: 'name' },
    { rpc: 'Catalog/CreateProduct', input: { price: 3 }, param: 'name' },
    { rpc: 'Catalog/CreateProduct', input: { name: 'Cup', price: -1 }, param: 'price' },
    { rpc: 'Catalog/ListProducts', input: { limit: 101 }, param: 'limit' },
    { rpc: 'Catalog/GetProduct', input: { id: 'cup' }, param: 'id' },
    { rpc: 'Limit/Take', input: { scope: 'century', edge: 'e' }, param: 'scope' },
    { rpc: 'Limit/Take', input: { scope: 'month', edge: 'e', subject: 's'.repeat(201) }, param: 'subject' },
  ])('$rpc with $param out of bounds is INVALID_ARGUMENT', async ({ rpc, input, param }) => {
    expect(await call(rpc, input, sandbox())).toMatchObject({
      code: UNARY_CODE.INVALID_ARGUMENT,
      refusal: { code: 'invalid_request', param },
    });
  });

  test('answers a malformed message with INVALID_ARGUMENT', async () => {
    const bytes = Buffer.from([0x0a, 0xff]);
    await expect(client.unary(unaryPath('Catalog/GetProduct'), bytes, sandbox(), 10_000)).rejects.toMatchObject({
      code: UNARY_CODE.INVALID_ARGUMENT,
    });
  });

  test('takes a single message where HTTP also accepts lines', async () => {
    const products: JsonObject[] = [{ external_id: 'p1', name: 'Cup', price: 3 }, { external_id: 'p2' }];
    const { answer } = await call('Ingestion/Push', { products, mode: 'upsert' }, sandbox());
    const { id } = answer!.job as { id: string };
    const job = await eventually(async () => {
      const found = (await call('Ingestion/GetJob', { id }, sandbox())).answer!.job as Record<string, unknown>;
      expect(found.status).toBe('completed');
      return found;
    });
    // A row that is wrong fails alone.
    expect(job).toMatchObject({ rows_total: 2, rows_created: 1, rows_failed: 1 });
  });

  test('counts a number that protobuf left out as 0', async () => {
    const take = { scope: 'month', edge: 'e', turn: 1, limit: 100, need: 0, want: 5, start: 0, spent: 0, held: 0 };
    const { code, answer } = await call('Limit/Take', { ...take, now: Date.now() }, sandbox());
    expect([code, answer?.granted]).toEqual([0, 5]);
  });
});

describe('an idempotency key', () => {
  test('makes one effect of twenty calls at once, and of one later on', async () => {
    const headers = sandbox({ 'stoa-idempotency-key': 'one-card' });
    const issue = () => call('Value/CreateGiftCard', { amount: 25 }, headers);
    const all = await Promise.all(Array.from({ length: 20 }, issue));
    for (const { code, refusal } of all.filter(({ code }) => code !== 0))
      expect([code, refusal?.code]).toEqual([UNARY_CODE.FAILED_PRECONDITION, 'conflict']);
    const later = await issue();
    const cards = [...all, later].flatMap(({ answer }) => (answer ? [(answer.gift_card as { id: string }).id] : []));
    expect(cards.length).toBeGreaterThanOrEqual(2);
    expect(new Set(cards).size).toBe(1);
  });

  test('refuses a key that was used with another request', async () => {
    const headers = sandbox({ 'stoa-idempotency-key': 'two-cards' });
    expect((await call('Value/CreateGiftCard', { amount: 25 }, headers)).code).toBe(0);
    const other = await call('Value/CreateGiftCard', { amount: 26 }, headers);
    expect(other.refusal?.code).toBe('idempotency_conflict');
  });
});
