// `stoa listen` and `stoa trigger` as a developer or a CI runs them: programs of their own, without a terminal.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { failing, ok, type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const START_MS = 30_000;

let stoa: Stoa;
let keys: Keys;
let receiver: Receiver;
const children: ChildProcess[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  receiver = await startReceiver();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await receiver.close();
});

interface Run {
  readonly out: string;
  readonly err: string;
  readonly code: Promise<number | null>;
  /** Parses the printed lines. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it prints
  lines(): any[];
  stop(): void;
}

const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Run => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...process.env,
      STOA_HOME: '/nonexistent',
      STOA_BASE_URL: stoa.url,
      STOA_SECRET_KEY: keys.secret_test_key,
      STOA_HMAC_SECRET: keys.hmac_test_secret,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const seen = { out: '', err: '' };
  child.stdout.on('data', (bytes) => {
    seen.out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    seen.err += bytes;
  });
  return {
    get out() {
      return seen.out;
    },
    get err() {
      return seen.err;
    },
    code: new Promise((ended) => child.once('close', ended)),
    lines: () =>
      seen.out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    stop: () => child.kill('SIGTERM'),
  };
};

/** Events are delivered after all older transactions, and other tests have some on this server. */
const OTHERS_MS = 60_000;

const happen = async (name: string) => {
  const { body } = await stoa.send('POST', '/v1/product-collections', { key: keys.secret_test_key, body: { name } });
  return body.collection.id as string;
};

test('listen sends on what happens, signed, and sent again, and ends when it is told to', {
  timeout: 240_000,
}, async () => {
  const follow = async (from: string) =>
    (await stoa.send('GET', `/v1/webhook-events?follow=${from}`, { key: keys.secret_test_key })).body;
  const { position } = await follow('now');
  await happen('Before');
  // A later listener does not receive this event.
  await eventually(async () => expect((await follow(position)).webhook_events).not.toEqual([]), OTHERS_MS);
  const listening = run(['listen', '--forward-to', `${receiver.url}/hook`, '--json']);
  await eventually(() => expect(listening.lines()[0]).toMatchObject({ ready: true }), START_MS);
  const secret: string = listening.lines()[0].signing_secret;
  await happen('During');
  await eventually(() => expect(receiver.received).toHaveLength(1), OTHERS_MS);
  const { path, body, headers, event } = receiver.received[0]!;
  expect([path, event.type, event.data.object.name]).toEqual(['/hook', 'collection.created', 'During']);
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(headers['x-svc-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);

  receiver.answer(failing(500));
  const replay = { key: keys.secret_test_key, body: { event_id: event.id } };
  expect((await stoa.send('POST', '/v1/sandbox/webhooks/replay', replay)).status).toBe(200);
  await eventually(() => expect(receiver.received).toHaveLength(2), OTHERS_MS);
  expect(receiver.received[1]!.body).toBe(body);
  receiver.answer(ok);
  await eventually(() => expect(listening.lines()).toHaveLength(3));
  expect(listening.lines().slice(1)).toEqual([
    { id: event.id, type: 'collection.created', status: 200, error: null },
    { id: event.id, type: 'collection.created', status: 500, error: null },
  ]);
  listening.stop();
  expect(await listening.code).toBe(0);
  expect(listening.err).toBe('');
});

test('listen tells only of the types that are asked for, and of a server that is not there', {
  timeout: 240_000,
}, async () => {
  const gone = await startReceiver();
  await gone.close();
  const listening = run(['listen', '--forward-to', gone.url, '--events', 'collection.updated', '--json']);
  await eventually(() => expect(listening.lines()).toHaveLength(1), START_MS);
  const id = await happen('Spring');
  await stoa.send('PATCH', `/v1/product-collections/${id}`, { key: keys.secret_test_key, body: { name: 'Summer' } });
  await eventually(() => expect(listening.lines()).toHaveLength(2), OTHERS_MS);
  expect(listening.lines()[1]).toMatchObject({ type: 'collection.updated', status: null, error: expect.any(String) });
});

test('trigger does the real thing and prints the event', async () => {
  const done = run(['trigger', 'order.paid', '--json']);
  expect([await done.code, done.err]).toEqual([0, '']);
  const { type, data } = JSON.parse(done.out);
  expect(type).toBe('order.paid');
  const { body } = await stoa.send('GET', `/v1/orders/${data.object.id}`, { key: keys.secret_test_key });
  expect(body.order).toMatchObject({ payment_status: 'paid', total_amount: 20 });
});

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['a live key', ['listen'], { STOA_SECRET_KEY: 'svc_sk_live_0000' }, /sandbox only/],
  ['no key', ['listen'], { STOA_SECRET_KEY: '' }, /--key/],
  ['a key that is none', ['listen'], { STOA_SECRET_KEY: 'svc_sk_test_0000' }, /401/],
  ['a URL that is none', ['listen', '--forward-to', 'localhost'], {}, /--forward-to/],
  ['a type that there is not', ['trigger', 'order.eaten'], {}, /no event of the type/],
])('%s is told in one sentence', async (_, args, environment, sentence) => {
  const failed = run(args, environment);
  expect(await failed.code).toBe(1);
  expect(failed.err).toMatch(sentence);
  expect(failed.err).not.toMatch(/\n\s+at /);
});
