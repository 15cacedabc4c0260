// Answers calls with an unknown outcome: a read had no effect.
import { afterAll, describe, expect, test } from 'vitest';
import type { KeyType } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { query, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { Host } from '#runtime/host/host.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog, type Log } from '#runtime/process/log.ts';
import { openPostgres, serverUrls, testLog } from '#test/support/server.ts';

const postgres = openPostgres(serverUrls().postgres);
afterAll(() => postgres.close());

const lost = (): never => {
  throw new UnknownOutcome('No answer came.');
};
const late = (): never => {
  throw new DOMException('Too late.', 'TimeoutError');
};
const broken = (): never => {
  throw new TypeError('A mistake.');
};

const away = (): never => {
  throw new Unavailable('The database does not answer.');
};

const hostThat = (log: Log): Host =>
  new Host({ postgres, clock: systemClock(), log } as Pick<Runtime, 'postgres' | 'clock' | 'log'> as Runtime, [
    {
      name: 'fault',
      services: {
        Search: { SearchProducts: read(lost) },
        Order: { GetOrder: query(late), ListOrders: query(broken), CreateOrder: query(away) },
        Recommendation: { RecordEvent: read(late) },
        Auth: { Login: query(lost) },
        ActorHost: { Tell: read(lost) },
        Cart: { GetCart: query(away) },
      },
    },
  ]);
const host = hostThat(testLog());

const ask = (of: Host, rpc: string) =>
  of.dispatch(
    new ValueAsk({
      rpc,
      caller: {
        tenant: { store: 'a', environment: 'production' },
        keyType: 'secret' satisfies KeyType,
        keyId: '',
        customer: null,
      },
      timeoutMs: 1_000,
      requestId: '',
      trace: '',
      value: {},
      rawBody: null,
      contentType: '',
      idempotency: null,
      revisionMin: 0,
    }),
    new Cancellation(),
  );

describe('a call of which it is unknown how it ended', () => {
  test.each([
    ['Search/SearchProducts', 'service_unavailable'],
    ['Order/GetOrder', 'service_unavailable'],
    ['Recommendation/RecordEvent', 'server_error'],
    ['Auth/Login', 'server_error'],
    ['ActorHost/Tell', 'server_error'],
    ['Order/ListOrders', 'server_error'],
  ])('%s is answered %s', async (rpc, code) => {
    const answer = await ask(host, rpc);
    expect(answer.refused?.code).toBe(code);
    expect(answer.refused?.extra.retryAfterS).toBe(code === 'service_unavailable' ? 1 : undefined);
  });
});

test('logs one line for each rpc and missing dependency, however many calls fail', async () => {
  const lines: string[] = [];
  const log = createLog({ name: 'test', write: (line) => void lines.push(line) });
  const noted = hostThat(log);
  for (let count = 0; count < 100; count++)
    for (const rpc of ['Cart/GetCart', 'Order/CreateOrder'])
      expect((await ask(noted, rpc)).refused?.code).toBe('service_unavailable');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { rpc: 'Cart/GetCart', problem: 'The database does not answer.', msg: 'unavailable' },
    { rpc: 'Order/CreateOrder', problem: 'The database does not answer.', msg: 'unavailable' },
  ]);
});
