// Unary gRPC in binary protobuf: internal callers reach the same handlers, with the same refusals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary, type UnaryClient } from '#runtime/grpc/unary.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let client: UnaryClient;
const contract = new ServiceRegistry(descriptors);

beforeAll(async () => {
  stoa = await sharedStoa();
  client = connectUnary(stoa.services.address, '', contract);
});
afterAll(async () => {
  client.close();
});

describe('an internal caller', () => {
  test('makes a store and reads it back, 64-bit integers as numbers', async () => {
    const made = await client.call<{ store_id: string }>('StoreAdmin/CreateStore', NO_TENANT, {
      name: 'Unary',
      currency: 'KES',
    });
    if (made instanceof Refusal) throw new Error(made.message);
    const limited = await client.call('StoreAdmin/SetLimits', NO_TENANT, {
      store: made.store_id,
      key_hour: 5_000_000_000,
    });
    expect(limited).not.toBeInstanceOf(Refusal);
    const profile = await client.call<{ currency: string }>('StoreDirectory/GetProfile', NO_TENANT, {
      store: made.store_id,
    });
    expect(profile).toMatchObject({ id: made.store_id, name: 'Unary', currency: 'KES' });
  });

  test('gets a refusal as a value', async () => {
    const refused = await client.call('StoreDirectory/GetProfile', NO_TENANT, { store: 'nobody' });
    expect(refused).toMatchObject({ code: 'not_found' });
  });

  test('learns that no server is there', async () => {
    const lost = connectUnary('127.0.0.1:1', '', contract);
    expect(await lost.call('StoreDirectory/GetProfile', NO_TENANT, { store: 'x' }, 500)).toMatchObject({
      code: 'service_unavailable',
    });
    lost.close();
  });

  test('refuses a call to an RPC that the contract does not name', async () => {
    await expect(client.call('Store/Nothing', NO_TENANT, {})).rejects.toThrow('Store/Nothing');
  });
});

test('64-bit integers survive both directions, nested and in lists', () => {
  const large = 9_007_199_254_740_991;
  const input = { scope: 'month', edge: 'e', sequence: large, limit: 1_800_000_000, start: large };
  expect(contract.decodeInput('Limit/Take', contract.encodeInput('Limit/Take', input))).toEqual(input);
  const nested = contract.encodeOutput('StoreDirectory/ResolveKey', { principal: { limits: { month: large } } });
  expect(contract.decodeOutput('StoreDirectory/ResolveKey', nested)).toMatchObject({
    principal: { limits: { key_hour: 0, month: large } },
  });
  const listed = contract.encodeOutput('Catalog/ListProducts', { products: [{ total_stock: large }] });
  expect(contract.decodeOutput('Catalog/ListProducts', listed)).toMatchObject({ products: [{ total_stock: large }] });
});
