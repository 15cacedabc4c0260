// The time machine over made-up domains: whose turn it is, and how far each may go alone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { type Due, type IndependentDue, type ListedDue, sequentialDue } from '#runtime/domain/due.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { advanceClock } from '#services/sandbox/clock_advance.ts';
import { anyEvent } from '#test/support/event.ts';
import { freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';

const TENANT: Tenant = { store: randomUUID(), environment: 'sandbox' };
const NOW = 1_000;

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  await postgres.sql`create table thing (noun text, id text, at bigint, every bigint)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** Domains whose things happen at their moments, and what happened in all of them. */
const world = () => {
  const clock = manualClock(NOW);
  const happened: string[] = [];
  const of = (name: string, moments: number[], then: (at: number) => void = () => {}): IndependentDue =>
    sequentialDue(clock, {
      first: async (_tenant, { target }) => {
        const at = Math.min(...moments);
        return at <= target ? { id: `${name} ${at}`, at } : null;
      },
      fire: async (tenant, { id, at }) => {
        moments.splice(moments.indexOf(at), 1);
        happened.push(`${id}${clock.now(tenant).getTime() === at ? '' : ' late'}`);
        then(at);
        return [name];
      },
    });
  const go = (dues: readonly Due[], target: number, endsAt = NOW + 1) => {
    const domains: Domain[] = dues.map((due, at) => ({ name: `domain ${at}`, services: {}, due: [due] }));
    return advanceClock({ clock, domains, log: testLog(), postgres }, TENANT, target, endsAt);
  };
  return { clock, happened, of, go };
};

describe('a journey', () => {
  test('fires domains in order of time, and those of one moment in the order of domains', async () => {
    const { happened, of, go } = world();
    const { fired, reached } = await go([of('cart', [2_000, 5_000, 5_001]), of('card', [3_000, 5_000, 9_001])], 9_000);
    expect(happened).toEqual(['cart 2000', 'card 3000', 'cart 5000', 'card 5000', 'cart 5001']);
    expect([fired, reached]).toEqual([
      [
        { type: 'card', count: 2 },
        { type: 'cart', count: 3 },
      ],
      9_000,
    ]);
  });

  test('lets followers react to events, and others react to followers', async () => {
    const { happened, of, go } = world();
    const deliveries: number[] = [];
    const orders: number[] = [];
    const carts = of('cart', [2_000, 4_000], (at) => deliveries.push(at, at + 1_000));
    // A receiver does something that is due later.
    const webhook: IndependentDue = {
      ...of('delivery', deliveries, (at) => at === 5_000 && orders.push(7_000)),
      follows: true,
    };
    await go([carts, of('order', orders), webhook], 9_000);
    expect(happened.filter((each) => each.startsWith('delivery'))).toEqual([
      'delivery 2000',
      'delivery 3000',
      'delivery 4000',
      'delivery 5000',
    ]);
    expect(happened.at(-1)).toBe('order 7000');
  });

  test('fires a pending retry before later items', async () => {
    const { happened, of, go } = world();
    const webhook: IndependentDue = { ...of('retry', [3_000]), follows: true };
    await go([of('cart', [2_000, 4_000]), webhook], 9_000);
    expect(happened).toEqual(['cart 2000', 'retry 3000', 'cart 4000']);
  });

  test('skips an item that does not fire and continues with others', async () => {
    const { happened, of, go } = world();
    const stuck: Due = { next: async () => 2_000, run: async () => [] };
    expect((await go([stuck, of('cart', [5_000])], 9_000)).reached).toBe(9_000);
    expect(happened).toEqual(['cart 5000']);
  });

  test('ends where it is at the deadline', async () => {
    const { clock, happened, of, go } = world();
    const slow = of('slow', [2_000, 3_000, 4_000], () => clock.advance(40));
    expect((await go([slow], 9_000, NOW + 60)).reached).toBe(4_000);
    expect(happened).toEqual(['slow 2000', 'slow 3000']);
  });

  test('fires items of several domains in few transactions, in order of time', async () => {
    const { clock, happened, of, go } = world();
    /** In a table; each tells an event, and may be due again after a while. */
    const tabled = (noun: string): ListedDue => ({
      name: noun,
      list: async (sql, { until, max }) => {
        const rows = await sql<{ id: string; at: number }[]>`
          select id, at from thing where noun = ${noun} and at <= ${until.getTime()} order by at, id limit ${max}`;
        return rows.map((row) => ({ tenant: TENANT, ...row }));
      },
      fire: async (tx, { tenant, id, at }) => {
        const [thing] = await tx.sql<{ again: number | null }[]>`
          update thing set at = at + every, every = null where noun = ${noun} and id = ${id} returning at as again`;
        await tx.emit(tenant, [anyEvent(noun, { id, late: clock.now(tenant).getTime() - at })]);
        happened.push(`${id} ${at}`);
        return { types: [noun], again: thing!.again };
      },
    });
    const put = (noun: string, id: string, at: number, every: number | null = null) =>
      postgres.sql`insert into thing values (${noun}, ${id}, ${at}, ${every})`;
    for (let n = 0; n < 70; n++) {
      const name = String(n).padStart(2, '0');
      await put('card', `card ${name}`, 2_000 + n * 10);
      await put('promotion', `promotion ${name}`, 2_000 + n * 10, n % 2 === 0 ? 5 : 900);
    }
    const { fired, reached } = await go([tabled('card'), of('cart', [2_100]), tabled('promotion')], 4_000);
    expect([fired, reached]).toEqual([
      [
        { type: 'card', count: 70 },
        { type: 'cart', count: 1 },
        { type: 'promotion', count: 140 },
      ],
      4_000,
    ]);
    const nouns = ['card', 'cart', 'promotion'];
    const sorted = happened.toSorted((a, b) => {
      const [one, other] = [a, b].map((each) => {
        const words = each.split(' ');
        return { at: Number(words.at(-1)), noun: nouns.indexOf(words[0]!), id: words[1]! };
      });
      return one!.at - other!.at || one!.noun - other!.noun || one!.id.localeCompare(other!.id);
    });
    expect(happened).toEqual(sorted);
    const events = await postgres.sql<{ object: { id: string; late: number }; made: string }[]>`
      select (draft || '}')::jsonb -> 'data' -> 'object' as object, outbox.xmin::text as made
      from runtime.outbox
      cross join lateral rows from (string_to_table(drafts, chr(10)), unnest(positions)) as event (draft, place)
      order by place`;
    expect(events.map(({ object }) => object.id)).toEqual(
      happened.filter((each) => !each.startsWith('cart')).map((each) => each.replace(/ \d+$/, '')),
    );
    expect(events.every(({ object }) => object.late === 0)).toBe(true);
    expect(new Set(events.map(({ made }) => made)).size).toBeLessThan(10);
  });
});
