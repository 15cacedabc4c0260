// Payment tokens over RPC: authorized by a completion, released, and finally taken.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { takePayment } from '#services/payment/transaction.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const open = async () => {
  const { ask, postgres } = stoa.services.runtime;
  const { store_id: store } = await stoa.createStore();
  const tenant = { store, environment: 'sandbox' } as const;
  const checkout_intent_id = randomUUID();
  const issued = await ask('PaymentToken/IssueToken', tenant, {
    checkout_intent_id,
    max_amount: 20,
    currency: 'USD',
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  });
  if (issued instanceof Refusal) throw new Error(issued.message);
  const { token } = issued;
  return {
    authorize: (payment_id: string, completion: string, amount: number) =>
      ask('PaymentToken/AuthorizeToken', tenant, {
        payment_id,
        completion,
        token,
        checkout_intent_id,
        amount,
        currency: 'USD',
      }),
    release: (payment_id: string) => ask('PaymentToken/ReleaseToken', tenant, { payment_id }),
    take: (payment_id: string): Promise<boolean> =>
      postgres.transaction((tx) => takePayment(tx, tenant, payment_id, { id: randomUUID(), order_number: '1001' })),
  };
};

test('authorizes again after a release when the completion is repeated under its key', async () => {
  const { authorize, release, take } = await open();
  const [payment_id, completion] = [randomUUID(), randomUUID()];
  expect(await authorize(payment_id, completion, 10)).toEqual({ payment_id });
  await release(payment_id);
  expect(await take(payment_id)).toBe(false);
  expect(await authorize(payment_id, completion, 10)).toEqual({ payment_id });
  expect(await take(payment_id)).toBe(true);
  expect(await take(payment_id)).toBe(false);
});

test('transfers an authorization to a later attempt of the same completion only', async () => {
  const { authorize, take } = await open();
  const completion = randomUUID();
  const [before, after, other] = [randomUUID(), randomUUID(), randomUUID()];
  expect(await authorize(before, completion, 20)).toEqual({ payment_id: before });
  expect(await authorize(other, randomUUID(), 10)).toMatchObject({ code: 'conflict' });
  expect(await authorize(after, completion, 10)).toEqual({ payment_id: after });
  expect(await take(before)).toBe(false);
  expect(await take(after)).toBe(true);
  expect(await authorize(before, completion, 20)).toMatchObject({ code: 'conflict' });
  expect(await take(before)).toBe(false);
});
