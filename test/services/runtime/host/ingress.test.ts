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
  revision: 0,
  subject: '',
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
  const entrance = new HostIngress({ hello: () => ({ services: ['Echo'], draining: false }), dispatch }, unary);
  const address = `unix:${folder}/${name}.sock`;
  const server = await serveRpc({
    address,
    token: '',
    unaryPaths: [ECHO],
    unary: (call) => entrance.call(call),
    streamPath: LINK_PATH,
    stream: (duplex) => entrance.open(duplex),
  });
  closing.push(() => server.close(0));
  return { address, entrance, asked, slow };
};

const wireTo = async (...addresses: string[]): Promise<LinkClient> => {
  const wire = connectLinks({ addresses, token: '', log: testLog() });
  closing.push(() => wire.close());
  await eventually(() => expect(wire.serves('Echo')).toBe(true));
  return wire;
};

const say = async (wire: LinkClient, input: string, write = true): Promise<string> => {
  const caller = { tenant: { store: 's', environment: 'production' }, keyType: 'secret', keyId: '', customer: null };
  const told = await wire.ask(
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
  return told.refused?.code ?? Buffer.from(told.body).toString();
};

test('a write that comes too late, and has no key, is another host’s', async () => {
  const first = await open('first');
  const wire = await wireTo(first.address, `unix:${folder}/second.sock`);
  // In one turn: the edge cannot know yet.
  first.entrance.drain();
  const told = say(wire, 'late');
  const second = await open('second');
  expect(await told).toBe('second');
  expect([first.asked, second.asked]).toEqual([[], ['late']]);
});

test('and is a definite no where no other host comes', async () => {
  const alone = await open('alone');
  const wire = await wireTo(alone.address);
  alone.entrance.drain();
  expect(await say(wire, 'late')).toBe('service_unavailable');
  expect(alone.asked).toEqual([]);
});

test('answers every accepted call, then lets the edge disconnect', async () => {
  const { address, entrance, slow } = await open('only');
  const wire = await wireTo(address);
  const told = say(wire, 'slow');
  await eventually(() => expect(entrance.inFlight).toBe(1));
  entrance.drain();
  await eventually(() => expect(wire.serves('Echo')).toBe(false));
  expect(await entrance.emptied(MOMENT_MS, MOMENT_MS)).toBe(false);
  slow.resolve();
  expect(await entrance.emptied(10_000, 10_000)).toBe(true);
  expect(await told).toBe('only');
  await Bun.sleep(MOMENT_MS);
  expect(wire.serves('Echo')).toBe(false);
});

test('ends long polls when the host or the edge drains', async () => {
  const { address, entrance } = await open('only');
  const wire = await wireTo(address);
  const waiting = say(wire, 'wait', false);
  await eventually(() => expect(entrance.inFlight).toBe(1));
  wire.cancelWaits();
  expect(await waiting).toBe('only');
  const again = say(wire, 'wait', false);
  await eventually(() => expect(entrance.inFlight).toBe(1));
  entrance.drain();
  expect(await again).toBe('only');
});

test('a unary call is answered, and the next one is sent away', async () => {
  const { address, entrance, asked, slow } = await open('only');
  const client = connectRpc(address, '');
  closing.push(() => client.close());
  const call = () => client.unary(ECHO, Buffer.alloc(0), {}, 10_000);
  const told = call();
  await eventually(() => expect(asked).toEqual(['unary']));
  entrance.drain();
  await expect(call()).rejects.toThrow('about to end');
  expect(entrance.inFlight).toBe(1);
  slow.resolve();
  expect((await told).toString()).toBe('only');
  expect(asked).toEqual(['unary']);
});
