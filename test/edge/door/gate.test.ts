// Requests that are turned away at the door, over real sockets, before a server that answers when it is told to.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { LANES } from '#edge/admission/lane.ts';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { answerOf, Owners } from '#test/edge/gates/owner.ts';
import { keyText, LIVE, principalOfHash } from '#test/edge/gates/stand_in.ts';
import { eventually, testLog } from '#test/support/server.ts';

class Services extends Owners {
  readonly held: (() => void)[] = [];
  override async ask(ask: Ask): Promise<Answer> {
    if (ask.rpc === 'StoreDirectory/ResolveKey')
      return answerOf({ principal: principalOfHash(JSON.parse(ask.input).key_hash) });
    if (ask.rpc !== 'Cart/AddItem') return super.ask(ask);
    await new Promise<void>((done) => this.held.push(done));
    return answerOf({ ok: true });
  }
}

let edge: RunningEdge | null = null;
afterEach(async () => {
  await edge?.stop();
  edge = null;
});

const open = (trustedProxies: string) => {
  const services = new Services();
  edge = startEdge({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    wire: services,
    redis: null,
    log: testLog(),
    trustedProxies,
    cacheBytesMax: 1_000,
  });
  return { services, url: edge.url, admission: edge.edge.admission };
};

const BODY = JSON.stringify({ variant_id: randomUUID(), quantity: 1 });
const add = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/cart/items`, {
    method: 'POST',
    headers: {
      Authorization: keyText('publishable'),
      'Content-Type': 'application/json',
      'X-Session-Id': 'session-1',
      ...headers,
    },
    body: BODY,
  });

/** A lane with no room for one more of anyone. */
const fill = (admission: RunningEdge['edge']['admission']): (() => void) => {
  const place = admission.find('POST', '/v1/cart/items')!;
  const entries = [LIVE.store, ''].flatMap((store) =>
    Array.from({ length: LANES.write.max }, () => admission.enter(place, store, performance.now())),
  );
  return () => {
    for (const entry of entries) entry.abandoned();
  };
};

test.each([
  ['by its own door', ''],
  ['behind a proxy', '127.0.0.1'],
])('an edge %s turns away what is too much, and takes it once there is room', async (_, trustedProxies) => {
  const { services, url, admission } = open(trustedProxies);
  const leave = fill(admission);
  const refused = await add(url, { 'X-Request-Id': 'mine-1' });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('x-request-id')).toBe('mine-1');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable', request_id: 'mine-1' } });
  expect(services.held).toHaveLength(0);
  expect(admission.lanes.write.shed).toBe(1);
  // Other lanes go on.
  expect((await fetch(`${url}/v1/health`)).status).not.toBe(404);
  expect(admission.lanes.read.shed).toBe(0);
  leave();
  const taken = add(url);
  await eventually(() => expect(services.held).toHaveLength(1));
  expect(admission.lanes.write.limit.inFlight).toBe(1);
  services.held[0]!();
  expect((await taken).status).toBeLessThan(500);
  expect(admission.lanes.write.limit.inFlight).toBe(0);
});

/** All that comes until the connection ends. */
const answersTo = (url: string, bytes: string): Promise<string> =>
  new Promise((done) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('close', () => done(text));
  });

test('a connection goes on after a refusal, unless its body is still to come or it is its last', async () => {
  const { url, admission } = open('');
  fill(admission);
  const head = (length: number, more = ''): string =>
    `POST /v1/cart/items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;
  const last = head(BODY.length, 'Connection: close\r\n') + BODY;
  const three = await answersTo(url, head(BODY.length) + BODY + head(BODY.length) + BODY + last);
  expect(three.match(/HTTP\/1\.1 503 /g)).toHaveLength(3);
  expect(three.match(/connection: close/gi)).toHaveLength(1);
  const early = await answersTo(url, `${head(1_000_000)}${BODY}`);
  expect(early).toMatch(/^HTTP\/1\.1 503 /);
  expect(early).toMatch(/connection: close/i);
});
