// What a host answers where it is unknown how a call ended: a read did nothing, whatever its handler does beneath.
import { afterAll, describe, expect, test } from 'vitest';
import type { KeyType } from '#runtime/call/call.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { query, read } from '#runtime/door/rpc.ts';
import { Host } from '#runtime/host/host.ts';
import { LinkQuestion } from '#runtime/link/question.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { systemClock } from '#runtime/process/clock.ts';
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

const host = new Host(
  { postgres, clock: systemClock(), log: testLog() } as Pick<Foundation, 'postgres' | 'clock' | 'log'> as Foundation,
  [
    {
      name: 'fault',
      services: {
        Search: { SearchProducts: read(lost) },
        Order: { GetOrder: query(late), ListOrders: query(broken) },
        Recommendation: { RecordEvent: read(late) },
        Auth: { Login: query(lost) },
        ActorHost: { Tell: read(lost) },
      },
    },
  ],
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
    const tenant = { store: 'a', environment: 'production' } as const;
    const answer = await host.dispatch(
      new LinkQuestion({
        rpc,
        caller: { tenant, keyType: 'secret' satisfies KeyType, keyId: '', customer: null },
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
    expect(answer.refused?.code).toBe(code);
    expect(answer.refused?.extra.retryAfterS).toBe(code === 'service_unavailable' ? 1 : undefined);
  });
});
