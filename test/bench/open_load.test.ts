// The open loop's promise: who stands still is charged with all that waited meanwhile.
import { expect, test } from 'vitest';
import { getRequest } from '#bench/load.ts';
import { openLoad } from '#bench/open_load.ts';

const DURATION_MS = 500;
/** Most of the load: where the machine is slow to begin, the half that the median needs is still due before its end. */
const FREEZE_MS = 400;

const measure = async (fetch: () => Response | Promise<Response>) => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  const request = getRequest('/');
  try {
    return await openLoad({
      target: { host: '127.0.0.1', port: server.port as number },
      connections: 2,
      perSecond: 200,
      durationMs: DURATION_MS,
      next: () => request,
      expected: new Set([200]),
    });
  } finally {
    await server.stop(true);
  }
};

test('every request that was due is sent and counted', async () => {
  const { due, answered, unexpected } = await measure(() => new Response('ok'));
  expect([due, answered, unexpected]).toEqual([100, 100, 0]);
});

test('a stall is charged to all requests that were due during it, not only to those under way', async () => {
  let firstAt: number | undefined;
  const { due, answered, p50Ms, maxMs } = await measure(async () => {
    firstAt ??= performance.now();
    const left = firstAt + FREEZE_MS - performance.now();
    if (left > 0) await Bun.sleep(left);
    return new Response('ok');
  });
  expect([due, answered]).toEqual([100, 100]);
  // Two connections alone were under way; half of all requests were due before the stall ended.
  expect(maxMs).toBeGreaterThan(FREEZE_MS / 2);
  expect(p50Ms).toBeGreaterThan(1);
});

test('answers of another status are counted apart', async () => {
  const { answered, unexpected } = await measure(() => new Response('', { status: 503 }));
  expect([answered, unexpected]).toEqual([100, 100]);
});
