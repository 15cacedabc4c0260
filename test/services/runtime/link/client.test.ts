// The link over a real socket: answers matched, deadlines kept, a lost host noticed, a new one found without hands.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type RpcServer, serveRpc } from '#runtime/grpc/grpc.ts';
import { connectLinks, LINK_PATH } from '#runtime/link/client.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import { type Cancellation, type LinkServer, serveLink } from '#runtime/link/server.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { createLog } from '#runtime/process/log.ts';
import { eventually, testLog } from '#test/support/server.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const answer = (text: string): Answer => ({
  body: encoder.encode(text),
  dependsOn: [],
  replayed: false,
  refused: null,
});
const callerOf = (store: string): Ask['caller'] => ({
  tenant: { store, environment: 'production' },
  keyType: 'secret',
  keyId: '',
  customer: null,
});
const ask = (input: string, extra: Partial<Ask> = {}): Ask => ({
  rpc: 'Echo/Say',
  caller: callerOf('s'),
  timeoutMs: 2_000,
  requestId: '',
  trace: '',
  input,
  rawBody: null,
  contentType: '',
  idempotency: null,
  revisionMin: 0,
  ...extra,
});

interface EchoHost {
  readonly server: RpcServer;
  readonly doors: Set<LinkServer>;
  readonly cancelled: string[];
  readonly asked: string[];
  draining: boolean;
}

async function echoHost(address: string, token = ''): Promise<EchoHost> {
  const doors = new Set<LinkServer>();
  const cancelled: string[] = [];
  const asked: string[] = [];
  const dispatch = ({ input }: Ask, cancellation: Cancellation): Answer | Promise<Answer> => {
    asked.push(input);
    if (input === 'wait') {
      cancellation.onCancel(() => cancelled.push(input));
      return new Promise(() => {});
    }
    return input === 'late' ? Bun.sleep(20).then(() => answer(input)) : answer(input);
  };
  const made = { doors, cancelled, asked, draining: false };
  const server = await serveRpc({
    address,
    token,
    unaryPaths: [],
    unary: async ({ bytes }) => bytes,
    streamPath: LINK_PATH,
    stream: (duplex) => {
      doors.add(
        serveLink(duplex, { hello: () => ({ services: ['Echo'], draining: made.draining }), dispatch }, (door) =>
          doors.delete(door),
        ),
      );
    },
  });
  return Object.assign(made, { server });
}

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function socket(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-link-'));
  closing.push(() => rm(folder, { recursive: true }));
  return `unix:${folder}/host.sock`;
}
async function host(address: string, token = ''): Promise<EchoHost> {
  const made = await echoHost(address, token);
  closing.push(() => made.server.close(0));
  return made;
}
function wireTo(...addresses: string[]): LinkClient {
  const wire = connectLinks({ addresses, token: '', log: testLog() });
  closing.push(() => wire.close());
  return wire;
}
const up = (wire: LinkClient) => eventually(() => expect(wire.serves('Echo')).toBe(true));

describe('the link', () => {
  test('matches each answer with its question, in whatever order they come', async () => {
    const address = await socket();
    await host(address);
    const wire = wireTo(address);
    await up(wire);
    const questions = Array.from({ length: 500 }, (_, i) => (i % 7 === 0 ? 'late' : `question ${i}`));
    const answers = await Promise.all(questions.map((input) => wire.ask(ask(input), false)));
    expect(answers.map(({ body }) => decoder.decode(body))).toEqual(questions);
  });

  test('carries bodies larger than a batch', async () => {
    const address = await socket();
    await host(address);
    const wire = wireTo(address);
    await up(wire);
    const large = 'x'.repeat(5_000_000);
    expect(decoder.decode((await wire.ask(ask(large), false)).body)).toBe(large);
  });

  test.each([
    ['a read without an answer is unavailable', false, 'service_unavailable'],
    ['a write without an answer is unknown', true, 'server_error'],
  ])('%s, and the host is told to stop', async (_name, write, code) => {
    const address = await socket();
    const { cancelled } = await host(address);
    const wire = wireTo(address);
    await up(wire);
    expect((await wire.ask(ask('wait', { timeoutMs: 50 }), write)).refused?.code).toBe(code);
    await eventually(() => expect(cancelled).toEqual(['wait']));
  });

  test('refuses at once while no host is there, and finds one that comes back', async () => {
    const address = await socket();
    const first = await host(address);
    const wire = wireTo(address);
    await up(wire);
    const inFlight = wire.ask(ask('wait', { timeoutMs: 10_000 }), true);
    await eventually(() => expect(first.asked).toContain('wait'));
    await first.server.close(0);
    expect((await inFlight).refused?.code).toBe('server_error');
    await eventually(() => expect(wire.serves('Echo')).toBe(false));
    expect((await wire.ask(ask('x'), true)).refused).toMatchObject({
      code: 'service_unavailable',
      extra: { retryAfterS: 1 },
    });
    await host(address);
    await up(wire);
    expect(decoder.decode((await wire.ask(ask('again'), true)).body)).toBe('again');
  });

  test('asks another host for a read whose host was lost', async () => {
    const addresses = [await socket(), await socket()];
    const hosts = [await host(addresses[0]!), await host(addresses[1]!)];
    const wire = wireTo(...addresses);
    await eventually(async () => {
      for (let i = 0; i < 20; i++) await wire.ask(ask('x', { caller: callerOf(`store ${i}`) }), false);
      expect(Math.min(...hosts.map(({ asked }) => asked.length))).toBeGreaterThan(0);
    });
    for (const { asked } of hosts) asked.length = 0;
    const reading = wire.ask(ask('wait', { timeoutMs: 500 }), false);
    const [first, second] = await eventually(() => {
      const at = hosts.findIndex(({ asked }) => asked.includes('wait'));
      expect(at).toBeGreaterThanOrEqual(0);
      return [hosts[at]!, hosts[1 - at]!] as const;
    });
    await first.server.close(0);
    await eventually(() => expect(second.asked).toEqual(['wait']));
    expect((await reading).refused?.code).toBe('service_unavailable');
    await eventually(() => expect(second.cancelled).toEqual(['wait']));
  });

  test('asks the same host once more for a read when it is back, and never for a write', async () => {
    const address = await socket();
    const before = await host(address);
    const wire = wireTo(address);
    await up(wire);
    const reading = wire.ask(ask('wait', { timeoutMs: 20_000 }), false);
    const writing = wire.ask(ask('wait', { timeoutMs: 20_000 }), true);
    await eventually(() => expect(before.asked).toEqual(['wait', 'wait']));
    await before.server.close(0);
    const after = await host(address);
    expect((await writing).refused?.code).toBe('server_error');
    await eventually(() => expect(after.asked).toEqual(['wait']));
    await after.server.close(0);
    expect((await reading).refused?.code).toBe('service_unavailable');
  });

  test('says that copies may be stale whenever it was down', async () => {
    const address = await socket();
    const first = await host(address);
    const wire = wireTo(address);
    const received: (Notice | null)[] = [];
    wire.listen((notice) => received.push(notice));
    await up(wire);
    const notice: Notice = {
      kind: 'catalog',
      tenant: { store: 's', environment: 'sandbox' },
      revision: 7,
      ids: ['a', 'b'],
    };
    for (const door of first.doors) door.notify(notice);
    await eventually(() => expect(received).toContainEqual(notice));
    received.length = 0;
    await first.server.close(0);
    await eventually(() => expect(received).toContain(null));
  });

  test('sends nothing new to a host that drains, and still takes its answers', async () => {
    const [one, two] = [await socket(), await socket()];
    const first = await host(one);
    const wire = wireTo(one, two);
    await up(wire);
    const late = wire.ask(ask('late'), false);
    await eventually(() => expect(first.asked).toContain('late'));
    first.draining = true;
    for (const door of first.doors) door.drain();
    await eventually(() => expect(wire.serves('Echo')).toBe(false));
    expect(decoder.decode((await late).body)).toBe('late');
    const second = await host(two);
    await up(wire);
    await wire.ask(ask('to the second'), false);
    expect(second.asked).toEqual(['to the second']);
  });

  test('keeps a store on one host while both live, and moves it when that one goes', async () => {
    const addresses = [await socket(), await socket()];
    const hosts = [await host(addresses[0] as string), await host(addresses[1] as string)];
    const wire = wireTo(...addresses);
    const stores = Array.from({ length: 40 }, (_, i) => `store ${i}`);
    const askAll = () => Promise.all(stores.map((store) => wire.ask(ask(store, { caller: callerOf(store) }), false)));
    const homesOf = async (): Promise<Set<string>[]> => {
      for (const { asked } of hosts) asked.length = 0;
      await askAll();
      return hosts.map(({ asked }) => new Set(asked));
    };
    await up(wire);
    // One is there before the other.
    const homes = await eventually(async () => {
      const found = await homesOf();
      expect(Math.min(...found.map(({ size }) => size))).toBeGreaterThan(5);
      return found;
    });
    expect(await homesOf()).toEqual(homes);
    await hosts[0]?.server.close(0);
    await eventually(async () => expect((await askAll()).every(({ refused }) => refused === null)).toBe(true));
  });

  test('refuses to listen for other machines without a token', async () => {
    await expect(echoHost('0.0.0.0:0')).rejects.toThrow('STOA_LINK_TOKEN');
  });

  test('logs once why no link comes up: wrong token, no host', async () => {
    const lines: string[] = [];
    const log = createLog({ name: 'test', write: (line) => void lines.push(line) });
    const [guarded, empty] = [await socket(), await socket()];
    await host(guarded, 'secret');
    const wire = connectLinks({ addresses: [guarded, empty], token: 'wrong', log });
    const about = (address: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.host === address);
    await eventually(() => expect([about(guarded).length, about(empty).length]).toEqual([1, 1]));
    // Tried again and again meanwhile.
    await Bun.sleep(500);
    expect(about(guarded).map(({ problem }) => problem)).toEqual([expect.stringContaining('link token')]);
    expect(about(empty)).toHaveLength(1);
    expect(lines.join()).not.toContain('wrong');
    await wire.close();
    expect(lines).toHaveLength(2);
  });

  test('refuses a connection without the token', async () => {
    const address = await socket();
    await host(address, 'secret');
    const outsider = wireTo(address);
    const friend = connectLinks({ addresses: [address], token: 'secret', log: testLog() });
    closing.push(() => friend.close());
    await eventually(() => expect(friend.serves('Echo')).toBe(true));
    expect(outsider.serves('Echo')).toBe(false);
  });
});
