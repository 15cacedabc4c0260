// Admission of one endpoint's calls, over real sockets, in front of services that answer when the test says so.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AdmissionPoint } from '#edge/admission/admission.ts';
import { LANES } from '#edge/admission/lane.ts';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { routes } from '#proto/gen/routes.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { answerOf, Owners } from '#test/edge/gates/owner.ts';
import { keyText, LIVE, principalOfHash } from '#test/edge/gates/stand_in.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { sendRaw } from '#test/support/socket.ts';

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

let services: Services;
let edge: RunningEdge;
let point: AdmissionPoint;
beforeEach(() => {
  services = new Services();
  edge = startEdge({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    wire: services,
    redis: null,
    log: testLog(),
    trustedProxies: '',
    cacheBytesMax: 1_000,
  });
  point = edge.edge.admission.pointOf(routes.find(({ rpc }) => rpc === 'Cart/AddItem')!)!;
});
afterEach(() => edge.stop());

const BODY = JSON.stringify({ variant_id: randomUUID(), quantity: 1 });
const add = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${edge.url}/v1/cart/items`, {
    method: 'POST',
    headers: {
      Authorization: keyText('publishable'),
      'Content-Type': 'application/json',
      'X-Session-Id': 'session-1',
      ...headers,
    },
    body: BODY,
  });

/** Fills the lane of writes, and returns how to empty it. */
const fill = (): (() => void) => {
  const { admission } = edge.edge;
  const calls = Array.from({ length: LANES.write.max }, () => admission.enter(point, LIVE.store, performance.now()));
  return () => {
    for (const call of calls) call.answered(performance.now());
  };
};

test('refuses a call while its lane is full, and takes it once there is room', async () => {
  const { lanes } = edge.edge.admission;
  const empty = fill();
  const refused = await add({ 'X-Request-Id': 'mine-1' });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('x-request-id')).toBe('mine-1');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable', request_id: 'mine-1' } });
  expect(services.held).toHaveLength(0);
  expect([lanes.write.shed, lanes.read.shed]).toEqual([1, 0]);
  empty();
  const taken = add();
  await eventually(() => expect(services.held).toHaveLength(1));
  expect(lanes.write.limit.inFlight).toBe(1);
  services.held[0]!();
  expect((await taken).status).toBeLessThan(500);
  expect(lanes.write.limit.inFlight).toBe(0);
});

test('refuses a call from its head, while its body is still to come', async () => {
  fill();
  const head = `POST /v1/cart/items HTTP/1.1\r\nHost: x\r\nAuthorization: ${keyText('publishable')}\r\nContent-Type: application/json\r\n`;
  expect(await sendRaw(edge.url, `${head}Content-Length: 1000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 503 /);
});
