// Payment tokens at the door of the house: set aside for a completion, given back, and taken by it in the end.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

test('what a completion gave back is set aside again when it is repeated under its key', async () => {
  const { ask, postgres } = stoa.services.foundation;
  const { store_id: store } = await stoa.createStore();
  const tenant = { store, environment: 'sandbox' } as const;
  const checkout_intent_id = randomUUID();
  const issued = await ask('PaymentToken/IssueToken', tenant, {
    checkout_intent_id,
    max_amount: 10,
    currency: 'USD',
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  });
  if (issued instanceof Refusal) throw new Error(issued.message);
  const payment_id = randomUUID();
  const authorize = () =>
    ask('PaymentToken/AuthorizeToken', tenant, {
      payment_id,
      token: issued.token,
      checkout_intent_id,
      amount: 10,
      currency: 'USD',
    });
  const take = async (): Promise<boolean> => {
    const [row] = await postgres.sql<{ taken: boolean }[]>`
      select payment.take(${store}, 'sandbox', ${payment_id}, ${randomUUID()}, '1001') as taken`;
    return row!.taken;
  };
  expect(await authorize()).toEqual({ payment_id });
  await ask('PaymentToken/ReleaseToken', tenant, { payment_id });
  expect(await take()).toBe(false);
  expect(await authorize()).toEqual({ payment_id });
  expect(await take()).toBe(true);
  expect(await take()).toBe(false);
});
