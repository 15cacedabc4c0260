// Drains a host: accepted calls are answered, later ones go to another host.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectRpc, serveRpc } from '#runtime/grpc/grpc.ts';
import { HostIngress } from '#runtime/host/ingress.ts';
import { connectLinks, LINK_PATH } from '#runtime/link/client.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import type { Cancellation } from '#runtime/link/server.ts';
import { eventually, testLog } from '#test/support/server.ts';

const ECHO = '/stoa.v1.Echo/Say';
/** Longer than a link takes to say anything. */
const MOMENT_MS = 100;

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-entrance-'));
  closing.push(() => rm(folder, { recursive: true }));
});

const answer = (text: string): Answer => ({
  body: Buffer.from(text),
  dependsOn: [],
  replayed: false,
  refused: null,
});

const open = async (name: string) => {
  const asked: string[] = [];
  const slow = Promise.withResolvers<void>();
  const dispatch = async ({ input }: Ask, cancellation: Cancellation): Promise<Answer> => {
    asked.push(input);
    if (input === 'slow') await slow.promise;
    if (input === 'wait') await new Promise<void>((done) => cancellation.onCancel(done));
    return answer(name);
  };
  const unary = async (): Promise<Buffer> => {
    asked.push('unary');
    await slow.promise;
    return Buffer.from(name);
  };
  const ingress = new HostIngress({ hello: () => ({ services: ['Echo'], draining: false }), dispatch }, unary);
  const address = `unix:${folder}/${name}.sock`;
  const server = await serveRpc({
    address,
    token: '',
    unaryPaths: [ECHO],
    unary: (call) => ingress.call(call),
    streamPath: LINK_PATH,
    stream: (duplex) => ingress.open(duplex),
  });
  closing.push(() => server.close(0));
  return { address, ingress, asked, slow };
};

const wireTo = async (...addresses: string[]): Promise<LinkClient> => {
  const wire = connectLinks({ addresses, token: '', log: testLog() });
  closing.push(() => wire.close());
  await eventually(() => expect(wire.serves('Echo')).toBe(true));
  return wire;
};

const say = async (wire: LinkClient, input: string, write = true): Promise<string> => {
  const caller = { tenant: { store: 's', environment: 'production' }, keyType: 'secret', keyId: '', customer: null };
  const response = await wire.ask(
    {
      rpc: 'Echo/Say',
      caller: caller as Ask['caller'],
      timeoutMs: 10_000,
      requestId: '',
      trace: '',
      input,
      rawBody: null,
      contentType: '',
      idempotency: null,
      revisionMin: 0,
    },
    write,
  );
  return response.refused?.code ?? Buffer.from(response.body).toString();
};

test('sends a late write without a key to another host', async () => {
  const first = await open('first');
  const wire = await wireTo(first.address, `unix:${folder}/second.sock`);
  // In one turn: the edge cannot know yet.
  first.ingress.drain();
  const response = say(wire, 'late');
  const second = await open('second');
  expect(await response).toBe('second');
  expect([first.asked, second.asked]).toEqual([[], ['late']]);
});

test('refuses a late write when no other host serves', async () => {
  const alone = await open('alone');
  const wire = await wireTo(alone.address);
  alone.ingress.drain();
  expect(await say(wire, 'late')).toBe('service_unavailable');
  expect(alone.asked).toEqual([]);
});

test('answers every accepted call, then lets the edge disconnect', async () => {
  const { address, ingress, slow } = await open('only');
  const wire = await wireTo(address);
  const response = say(wire, 'slow');
  await eventually(() => expect(ingress.inFlight).toBe(1));
  ingress.drain();
  await eventually(() => expect(wire.serves('Echo')).toBe(false));
  expect(await ingress.emptied(MOMENT_MS, MOMENT_MS)).toBe(false);
  slow.resolve();
  expect(await ingress.emptied(10_000, 10_000)).toBe(true);
  expect(await response).toBe('only');
  await Bun.sleep(MOMENT_MS);
  expect(wire.serves('Echo')).toBe(false);
});

test('ends long polls when the host or the edge drains', async () => {
  const { address, ingress } = await open('only');
  const wire = await wireTo(address);
  const waiting = say(wire, 'wait', false);
  await eventually(() => expect(ingress.inFlight).toBe(1));
  wire.cancelWaits();
  expect(await waiting).toBe('only');
  const again = say(wire, 'wait', false);
  await eventually(() => expect(ingress.inFlight).toBe(1));
  ingress.drain();
  expect(await again).toBe('only');
});

test('answers a running unary call and refuses the next while draining', async () => {
  const { address, ingress, asked, slow } = await open('only');
  const client = connectRpc(address, '');
  closing.push(() => client.close());
  const call = () => client.unary(ECHO, Buffer.alloc(0), {}, 10_000);
  const response = call();
  await eventually(() => expect(asked).toEqual(['unary']));
  ingress.drain();
  await expect(call()).rejects.toThrow('about to end');
  expect(ingress.inFlight).toBe(1);
  slow.resolve();
  expect((await response).toString()).toBe('only');
  expect(asked).toEqual(['unary']);
});
