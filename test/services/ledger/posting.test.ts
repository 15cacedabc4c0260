// Invariants of the ledger that Postgres enforces: entries of a posting sum to zero, postings never change, and each
// balance is the sum of its entries within its bounds.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { AccountKind } from '#services/ledger/account.ts';
import { balanceOf, movementsOf, post } from '#services/ledger/posting.ts';
import { trialBalance } from '#services/ledger/trial_balance.ts';
import { type Book, openBook } from './book.ts';

let book: Book;
beforeAll(async () => {
  book = await openBook();
});
afterAll(() => book.close());

const codeOf = (fault: unknown): string => (fault as { code?: string }).code ?? String(fault);
const refused = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', codeOf);

const move = (tenant: Tenant, from: string, to: string, amount: number, reference: string = randomUUID()) =>
  book.run((tx) => {
    const account = (text: string) => {
      const [kind = '', subject = ''] = text.split('/');
      return { kind: kind as AccountKind, subject };
    };
    const moves = [{ from: account(from), to: account(to), amount }];
    return post(tx, tenant, { kind: 'test', reference, currency: 'USD', moves });
  });

describe('a posting', () => {
  test('moves an amount from one account to another', async () => {
    const tenant = book.newTenant();
    const [payment, order] = [randomUUID(), randomUUID()];
    await move(tenant, `payment/${payment}`, `order/${order}`, 2_660);
    expect(await book.balance(tenant, 'payment', payment)).toBe(-2_660);
    expect(await book.balance(tenant, 'order', order)).toBe(2_660);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('writes one posting for a reference', async () => {
    const tenant = book.newTenant();
    const [payment, order] = [randomUUID(), randomUUID()];
    const twice = await Promise.all([1, 2].map(() => move(tenant, `payment/${payment}`, `order/${order}`, 5, 'once')));
    expect(twice.filter((id) => id !== null)).toHaveLength(1);
    expect(await book.balance(tenant, 'order', order)).toBe(5);
    expect(await move(book.newTenant(), `payment/${payment}`, `order/${order}`, 5, 'once')).not.toBeNull();
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 53])('throws for an amount of %d', async (amount) => {
    await expect(move(book.newTenant(), `payment/${randomUUID()}`, `order/${randomUUID()}`, amount)).rejects.toThrow(
      'no amount to post',
    );
  });

  test('keeps the currencies of one subject apart', async () => {
    const tenant = book.newTenant();
    const customer = randomUUID();
    for (const currency of ['USD', 'KES'])
      await book.run((tx) =>
        post(tx, tenant, {
          kind: 'test',
          reference: currency,
          currency,
          moves: [
            {
              from: { kind: 'store_credit_issue', subject: tenant.store },
              to: { kind: 'store_credit', subject: customer },
              amount: currency === 'USD' ? 1 : 2,
            },
          ],
        }),
      );
    expect([
      await book.balance(tenant, 'store_credit', customer, 'USD'),
      await book.balance(tenant, 'store_credit', customer, 'KES'),
      await book.balance(tenant, 'store_credit', customer, 'EUR'),
    ]).toEqual([1, 2, 0]);
    expect((await trialBalance(book.postgres.sql, tenant)).map(({ currency, sum }) => [currency, sum])).toEqual([
      ['KES', 0],
      ['USD', 0],
    ]);
  });

  test('belongs to its tenant alone', async () => {
    const [mine, theirs] = [book.newTenant(), book.newTenant()];
    const order = randomUUID();
    await move(mine, `payment/${randomUUID()}`, `order/${order}`, 7);
    expect(await book.balance(theirs, 'order', order)).toBe(0);
    expect(await book.balance({ ...mine, environment: 'sandbox' }, 'order', order)).toBe(0);
  });
});

describe('Postgres itself refuses', () => {
  const CHECK = '23514';
  const RESTRICT_VIOLATION = '23001';

  test.each<[string, string, string, number]>([
    ['a gift card below zero', 'gift_card', 'order', 1],
    ['store credit below zero', 'store_credit', 'order', 1],
    ['an order below zero', 'order', 'gift_card', 1],
    ['a deposit below zero', 'deposit', 'gift_card', 1],
    ['a payment above zero', 'store_credit_issue', 'payment', 1],
    ['what was paid elsewhere above zero', 'store_credit_issue', 'elsewhere', 1],
    ['an account of an unknown kind', 'payment', 'pocket', 1],
  ])('%s', async (_name, from, to, amount) => {
    const tenant = book.newTenant();
    expect(await refused(move(tenant, `${from}/${randomUUID()}`, `${to}/${randomUUID()}`, amount))).toBe(CHECK);
    expect(await trialBalance(book.postgres.sql, tenant)).toEqual([]);
  });

  const entry = (tenant: Tenant, amounts: readonly number[]) =>
    book.run(async ({ sql }) => {
      const posting = randomUUID();
      await sql`
        insert into ledger.posting (store, environment, id, kind, reference, currency, created_at)
        values (${tenant.store}, 'production', ${posting}, 'test', ${posting}, 'USD', now())`;
      for (const amount of amounts)
        await sql`
          insert into ledger.entry (store, environment, kind, subject, currency, posting, amount)
          values (${tenant.store}, 'production', 'order', ${randomUUID()}, 'USD', ${posting}, ${amount})`;
    });

  test.each<[string, readonly number[]]>([
    ['a single entry', [5]],
    ['entries that are written one by one', [5, -5]],
    ['an entry of nothing', [0]],
  ])('%s', async (_name, amounts) => {
    expect(await refused(entry(book.newTenant(), amounts))).toBe(CHECK);
  });

  test.each([
    'update ledger.entry set amount = amount + 1',
    'delete from ledger.entry',
    'update ledger.posting set created_at = now()',
    'delete from ledger.posting',
    'truncate ledger.entry',
    'truncate ledger.posting cascade',
    'update ledger.account set balance = balance + 1',
    'delete from ledger.account',
  ])('%s', async (statement) => {
    await move(book.newTenant(), `payment/${randomUUID()}`, `order/${randomUUID()}`, 1);
    expect(await refused(book.run(({ sql }) => sql.unsafe(statement)))).toBe(RESTRICT_VIOLATION);
  });

  test('a balance that no entry made', async () => {
    const { store } = book.newTenant();
    const work = book.run(
      ({ sql }) => sql`
        insert into ledger.account (store, environment, kind, subject, currency, balance)
        values (${store}, 'production', 'gift_card', ${randomUUID()}, 'USD', 1000)`,
    );
    expect(await refused(work)).toBe(RESTRICT_VIOLATION);
  });

  test('allows deletion when a sandbox is reset', async () => {
    const tenant: Tenant = { ...book.newTenant(), environment: 'sandbox' };
    await move(tenant, `payment/${randomUUID()}`, `order/${randomUUID()}`, 1);
    await book.run(async ({ sql }) => {
      for (const table of ['posting', 'account'])
        await sql.unsafe(`delete from ledger.${table} where store = '${tenant.store}' and environment = 'sandbox'`);
    });
    expect(await trialBalance(book.postgres.sql, tenant)).toEqual([]);
  });
});

describe('an account', () => {
  test('lists its movements, newest first', async () => {
    const tenant = book.newTenant();
    const customer = randomUUID();
    for (const amount of [10, 20, 30]) {
      await move(tenant, `store_credit_issue/${tenant.store}`, `store_credit/${customer}`, amount);
      book.clock.advance(1_000);
    }
    const account = { kind: 'store_credit', subject: customer } as const;
    const movements = await movementsOf(book.postgres.sql, tenant, account, 'USD', 2);
    expect(movements.map(({ amount }) => amount)).toEqual([30, 20]);
  });

  test('holds the sum of its entries within its bounds after any history, concurrent spending included', async () => {
    const step = fc.record({
      grant: fc.boolean(),
      customer: fc.integer({ min: 0, max: 2 }),
      amount: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
        const tenant = book.newTenant();
        const customers = [randomUUID(), randomUUID(), randomUUID()];
        const held = new Map<string, number>();
        for (const round of rounds) {
          const outcomes = await Promise.all(
            round.map(({ grant, customer, amount }) => {
              const whose = `store_credit/${customers[customer]}`;
              const [from, to] = grant
                ? [`store_credit_issue/${tenant.store}`, whose]
                : [whose, `order/${randomUUID()}`];
              return refused(move(tenant, from, to, amount));
            }),
          );
          for (const [at, { grant, customer, amount }] of round.entries()) {
            if (outcomes[at] === 'done')
              held.set(customers[customer]!, (held.get(customers[customer]!) ?? 0) + (grant ? amount : -amount));
            else expect([grant, outcomes[at]]).toEqual([false, CHECK_VIOLATION]);
          }
        }
        for (const [customer, amount] of held) {
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(await balanceOf(book.postgres.sql, tenant, { kind: 'store_credit', subject: customer }, 'USD')).toBe(
            amount,
          );
        }
        for (const line of await trialBalance(book.postgres.sql, tenant))
          expect([line.sum, line.uneven, line.astray]).toEqual([0, 0, 0]);
      }),
      { numRuns: 25 },
    );
  });
});

const CHECK_VIOLATION = '23514';
