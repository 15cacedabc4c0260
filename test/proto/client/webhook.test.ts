// Webhooks that the real sender has signed are believed, and nothing else is.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, server } from '#proto/client/server.ts';
import { verifyWebhook, WebhookError } from '#proto/client/webhook.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

interface Came {
  readonly body: string;
  readonly signature: string;
}

let stoa: Stoa;
let back: Server;
let receiver: ReturnType<typeof Bun.serve>;
let endpointId: string;
let secret: string;
const came: Came[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
  receiver = Bun.serve({
    port: 0,
    fetch: async (request) => {
      came.push({ body: await request.text(), signature: request.headers.get('x-svc-signature') ?? '' });
      return new Response('ok');
    },
  });
  back = server({ url: stoa.url, key: (await stoa.createStore()).secret_test_key });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { webhook_endpoint } = await back.webhookEndpoints.create({ url, events: ['*'] });
  endpointId = webhook_endpoint.id;
  secret = webhook_endpoint.signing_secret!;
});
afterAll(async () => {
  await receiver.stop(true);
});

const nextDelivery = async (cause: () => Promise<unknown>): Promise<Came> => {
  const before = came.length;
  await cause();
  await eventually(async () => expect(came.length).toBeGreaterThan(before));
  return came.at(-1)!;
};
const faultOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (problem: unknown) => (problem instanceof WebhookError ? problem.code : problem),
  );
const createCollection = (): Promise<unknown> => back.productCollections.create({ name: 'Spring' });

describe('a delivery', () => {
  it('answers the event of a real delivery with its type', async () => {
    const delivery = await nextDelivery(createCollection);
    const event = await verifyWebhook(delivery, secret);
    if (event.type !== 'collection.created' || event.data.object.truncated) throw new Error(event.type);
    expect(event.data.object.name).toBe('Spring');
  });

  it('may be given as the request that came', async () => {
    const { body, signature } = await nextDelivery(createCollection);
    const request = new Request('http://shop/', { method: 'POST', body, headers: { 'x-svc-signature': signature } });
    expect((await verifyWebhook(request, secret)).api_version).toBe('v1');
  });

  it('accepts the old and the new secret during rotation, and one of several', async () => {
    const old = secret;
    secret = (await back.webhookEndpoints.rotateSecret({ id: endpointId })).webhook_endpoint.signing_secret!;
    const delivery = await nextDelivery(createCollection);
    for (const known of [old, secret, ['whsec_another', secret]])
      expect((await verifyWebhook(delivery, known)).type).toBe('collection.created');
    expect(await faultOf(verifyWebhook(delivery, 'whsec_another'))).toBe('wrong_signature');
  });

  it('refuses a delivery that was changed, is old, or is not signed', async () => {
    const { body, signature } = await nextDelivery(createCollection);
    const time = /t=(\d+)/.exec(signature)![1]!;
    const signed = (text: string): string =>
      `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`;
    const nowMs = Number(time) * 1_000;
    const cases = [
      [{ body: `${body} `, signature }, 'wrong_signature'],
      [{ body, signature: signature.replace(`t=${time}`, `t=${Number(time) + 1}`) }, 'wrong_signature'],
      [{ body, signature: null }, 'missing_signature'],
      [{ body, signature: 'v1=00' }, 'malformed_signature'],
      [{ body, signature: `t=${time},v1=abc` }, 'malformed_signature'],
      [{ body: 'x', signature: signed('x') }, 'unreadable_body'],
    ] as const;
    for (const [delivery, fault] of cases) expect(await faultOf(verifyWebhook(delivery, secret))).toBe(fault);
    for (const late of [301_000, -301_000])
      expect(await faultOf(verifyWebhook({ body, signature }, secret, { nowMs: nowMs + late }))).toBe('stale');
    await verifyWebhook({ body, signature }, secret, { nowMs: nowMs + 300_000 });
  });
});
