// Uses of keys are noted by the request and reported at most once a minute.
import { expect, test } from 'vitest';
import { KeyUses } from '#edge/key_use.ts';
import { openGates } from '#test/edge/gates/stand_in.ts';
import { testLog } from '#test/support/server.ts';

const openUses = async () => {
  const { services, principals } = await openGates();
  const time = { now: 1_000_000 };
  const uses = new KeyUses(services, testLog(), () => time.now);
  const reports = () =>
    services.asks
      .filter(({ rpc }) => rpc === 'StoreDirectory/RecordKeyUses')
      .map(({ input }) => JSON.parse(input).uses as { key_id: string; used_at_ms: number; address: string | null }[]);
  return { services, principals, time, uses, reports };
};

test('reports a first use at once, and the newest of the next minute after it', async () => {
  const { principals, time, uses, reports } = await openUses();
  const { secret } = principals;
  const noteAt = (now: number, address: string) => {
    time.now = now;
    uses.note(secret, () => address);
  };
  noteAt(1_000_000, '10.0.0.1');
  await uses.report();
  for (let second = 1; second <= 59; second++) {
    noteAt(1_000_000 + second * 1_000, `10.0.1.${second}`);
    await uses.report();
  }
  expect(reports()).toEqual([
    [{ store_id: secret.tenant.store, key_id: secret.keyId, used_at_ms: 1_000_000, address: '10.0.0.1' }],
  ]);
  time.now = 1_060_000;
  await uses.report();
  await uses.report();
  expect(reports().slice(1)).toEqual([[expect.objectContaining({ used_at_ms: 1_059_000, address: '10.0.1.59' })]]);
});

test('looks up an address once a second, and a shopper’s never', async () => {
  const { principals, time, uses, reports } = await openUses();
  let lookups = 0;
  const address = () => `10.0.0.${++lookups}`;
  for (const principal of [principals.secret, principals.publishable])
    for (let request = 0; request < 100; request++) uses.note(principal, address);
  expect(lookups).toBe(1);
  time.now += 1_000;
  uses.note(principals.secret, address);
  expect(lookups).toBe(2);
  await uses.close();
  expect(
    reports()
      .flat()
      .map((use) => use.address),
  ).toEqual(['10.0.0.2', null]);
});

test('leaves out what is no store’s API key', async () => {
  const { principals, uses, reports } = await openUses();
  uses.note({ ...principals.secret, isApiKey: false }, () => '10.0.0.1');
  uses.note({ ...principals.secret, keyType: 'operator' }, () => '10.0.0.1');
  await uses.close();
  expect(reports()).toEqual([]);
});

test('sends a thousand uses a call, forgets keys that rest, and survives a call that fails', async () => {
  const { services, principals, time, uses, reports } = await openUses();
  for (let n = 0; n < 2_500; n++) uses.note({ ...principals.secret, keyId: `key ${n}` }, () => '10.0.0.1');
  const ask = services.ask.bind(services);
  services.ask = async (asked) => {
    await ask(asked);
    throw new Error('The link is gone.');
  };
  await uses.report();
  expect(reports().map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  time.now += 60_000;
  await uses.report();
  uses.note(principals.secret, () => '10.0.0.1');
  await uses.report();
  expect(reports()).toHaveLength(4);
});
