// Delivers and stores messages on a real server, with a deadline on everything.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Bus, BusMessage, StreamOptions } from '#runtime/nats/bus.ts';
import { OutOfSequence } from '#runtime/nats/bus.ts';
import { connect } from '#runtime/nats/library.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshNamespace, serverUrls, testLog } from '#test/support/server.ts';

let namespace: string;
let stream: StreamOptions;
let bus: Bus;
const open: Bus[] = [];
const proxies: TestProxy[] = [];

const connectToBus = async (url = serverUrls().nats): Promise<Bus> => {
  const made = connectBus({ url, name: 'test', log: testLog() });
  open.push(made);
  await eventually(() => expect(made.connected).toBe(true));
  return made;
};
const throughProxy = async (port?: number): Promise<TestProxy> => {
  const proxy = await startProxy(serverUrls().nats, port);
  proxies.push(proxy);
  return proxy;
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (message: Uint8Array): string => new TextDecoder().decode(message);
const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch((problem: unknown) => problem);

beforeEach(async () => {
  namespace = freshNamespace();
  stream = {
    name: namespace,
    subjects: [`${namespace}.log.>`],
    ageMsMax: 3_600_000,
    messagesMax: 100_000,
    duplicateMs: 60_000,
    replicas: 1,
  };
  bus = await connectToBus();
});
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
  for (const proxy of proxies.splice(0)) await proxy.close();
});

describe('subjects', () => {
  test('delivers to every listener, and to one of a group', async () => {
    const other = await connectToBus();
    const received: string[] = [];
    for (const [name, listener] of Object.entries({ bus, other })) {
      listener.subscribe(`${namespace}.>`, (message, subject) => received.push(`${name} ${subject} ${text(message)}`));
      listener.subscribe(`${namespace}.a`, () => received.push('group'), { group: 'g' });
    }
    // A subscription is certain once a message of one's own came through it. Late ones come as they like.
    await eventually(() => {
      bus.publish(`${namespace}.probe`, bytes('?'));
      return eventually(() => expect(new Set(received).size).toBe(2), 200);
    });
    expect(bus.publish(`${namespace}.a`, bytes('hello'))).toBe(true);
    await eventually(() =>
      expect(received.filter((each) => !each.endsWith('?')).sort()).toEqual(
        [`bus ${namespace}.a hello`, 'group', `other ${namespace}.a hello`].sort(),
      ),
    );
  });

  test('delivers nothing to a stopped listener', async () => {
    const received: string[] = [];
    const stop = bus.subscribe(`${namespace}.a`, (message) => received.push(text(message)));
    bus.subscribe(`${namespace}.a`, (message) => received.push(`still ${text(message)}`));
    stop();
    bus.publish(`${namespace}.a`, bytes('1'));
    await eventually(() => expect(received).toContain('still 1'));
    expect(received).toEqual(['still 1']);
  });

  test('delivers again after a lost connection', async () => {
    const proxy = await throughProxy();
    const listener = await connectToBus(proxy.url);
    const states: boolean[] = [];
    listener.onState((connected) => states.push(connected));
    const received: string[] = [];
    listener.subscribe(`${namespace}.a`, (message) => received.push(text(message)));
    proxy.cut();
    await eventually(() => expect(states).toEqual([false, true]));
    await eventually(() => {
      bus.publish(`${namespace}.a`, bytes('back'));
      return eventually(() => expect(received).toContain('back'), 200);
    });
  });
});

describe('a stream', () => {
  beforeEach(() => bus.ensureStream(stream));

  test('reports why it refuses a message, and counts as not storing until it stores one', async () => {
    const { hostname, port, username, password } = new URL(serverUrls().nats);
    const connection = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
    const manager = await connection.jetstreamManager();
    const append = (id: string) => bus.append(`${namespace}.log.a`, bytes('long'), { id });
    await manager.streams.update(namespace, { max_msg_size: 1 });
    expect(await settled(append('1'))).toMatchObject({
      name: 'Unavailable',
      message: 'The message bus refuses to store: message size exceeds maximum allowed.',
    });
    expect(bus).toMatchObject({ connected: true, storing: false });
    await manager.streams.update(namespace, { max_msg_size: -1 });
    await append('2');
    expect(bus.storing).toBe(true);
    await connection.close();
  });

  test('creates a stream once for many callers, and updates it', async () => {
    const other = await connectToBus();
    const wider = { ...stream, subjects: [...stream.subjects, `${namespace}.more`] };
    await Promise.all([bus.ensureStream(wider), other.ensureStream(wider)]);
    expect((await bus.append(`${namespace}.more`, bytes('x'), { id: '1' })).sequence).toBe(1);
  });

  test('keeps a message once, however often it is appended under one id', async () => {
    const subject = `${namespace}.log.a`;
    expect(await bus.append(subject, bytes('1'), { id: 'one' })).toEqual({ sequence: 1, duplicate: false });
    expect(await bus.append(subject, bytes('1'), { id: 'one' })).toEqual({ sequence: 1, duplicate: true });
    expect(await bus.append(subject, bytes('2'), { id: 'two' })).toEqual({ sequence: 2, duplicate: false });
  });

  test('accepts one of several writers with the same expected sequence', async () => {
    const subject = `${namespace}.log.a`;
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        settled(bus.append(subject, bytes(`${at}`), { id: `writer ${at}`, expectedSubjectSequence: 0 })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome instanceof OutOfSequence)).toHaveLength(9);
  });

  test('refuses an append to a missing stream', async () => {
    expect(await settled(bus.append(`${namespace}.nowhere`, bytes('x'), { id: '1' }))).toBeInstanceOf(Unavailable);
    const missing = bus.consumer({ stream: 'nowhere', durable: 'c', ackWaitMs: 1_000, pendingMax: 10 });
    expect(await settled(missing.next(1, 100))).toBeInstanceOf(Unavailable);
  });
});

describe('a consumer', () => {
  const consumerOf = (through: Bus, ackWaitMs = 30_000, pendingMax = 100) =>
    through.consumer({ stream: stream.name, durable: 'reader', ackWaitMs, pendingMax });
  const append = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) await bus.append(`${namespace}.log.a`, bytes(`${at}`), { id: `m${at}` });
  };
  beforeEach(() => bus.ensureStream(stream));

  test('returns messages at once, in order, and none when none come', async () => {
    const consumer = consumerOf(bus);
    expect(await consumer.next(10, 50)).toEqual([]);
    await append(3);
    const got: string[] = [];
    while (got.length < 3)
      for (const message of await consumer.next(2, 5_000)) {
        got.push(`${text(message.bytes)} #${message.deliveries}`);
        message.ack();
      }
    expect(got).toEqual(['0 #1', '1 #1', '2 #1']);
  });

  test('redelivers messages that were returned or not acknowledged', async () => {
    const consumer = consumerOf(bus, 300);
    await append(1);
    const [first] = await consumer.next(1, 5_000);
    expect(first?.deliveries).toBe(1);
    first?.retry(10);
    const [second] = await consumer.next(1, 5_000);
    expect(second?.deliveries).toBe(2);
    const [third] = await consumer.next(1, 5_000);
    expect(third?.deliveries).toBe(3);
    third?.ack();
    // On a machine that stood still it may have been given once more before that was heard.
    await eventually(async () => {
      const [late] = await consumer.next(1, 700);
      late?.ack();
      expect(late).toBeUndefined();
    });
  });

  test('delivers at most the allowed number of unacknowledged messages', async () => {
    await append(20);
    const consumer = consumerOf(bus, 30_000, 5);
    const out: BusMessage[] = [];
    await eventually(async () => {
      out.push(...(await consumer.next(100, 500)));
      expect(out).toHaveLength(5);
    });
    expect(await consumer.next(100, 500)).toEqual([]);
    for (const message of out) message.ack();
    await eventually(async () => expect(await consumer.next(100, 200)).not.toHaveLength(0));
  });

  test('shares a durable consumer: each message goes to one of its processes', async () => {
    const other = await connectToBus();
    const consumers = [consumerOf(bus), consumerOf(other)];
    await Promise.all(consumers.map((consumer) => consumer.next(1, 50)));
    await append(40);
    const got: string[] = [];
    await eventually(async () => {
      for (const consumer of consumers)
        for (const message of await consumer.next(100, 100)) {
          got.push(text(message.bytes));
          message.ack();
        }
      expect(got).toHaveLength(40);
    });
    expect(new Set(got).size).toBe(40);
  });

  test('goes on after the connection was lost', async () => {
    const proxy = await throughProxy();
    const consumer = consumerOf(await connectToBus(proxy.url), 500);
    await append(1);
    const [first] = await consumer.next(1, 5_000);
    first?.ack();
    proxy.cut();
    await bus.append(`${namespace}.log.a`, bytes('after'), { id: 'after' });
    await eventually(async () => {
      const [next] = await consumer.next(1, 1_000);
      expect(text(next?.bytes ?? bytes(''))).toBe('after');
    });
  });

  test('returns unacknowledged messages when it closes', async () => {
    const leaving = consumerOf(bus);
    await append(5);
    const [message] = await eventually(async () => {
      const got = await leaving.next(1, 100);
      expect(got).toHaveLength(1);
      return got;
    });
    message?.ack();
    leaving.close();
    const other = consumerOf(await connectToBus());
    const got: string[] = [];
    await eventually(async () => {
      for (const message of await other.next(10, 200)) got.push(text(message.bytes));
      expect([...got].sort()).toEqual(['1', '2', '3', '4']);
    });
  });
});

describe('a server in trouble', () => {
  test('away at the start: the process starts, callers are refused, and all is well once it comes', async () => {
    const proxy = await throughProxy();
    const { port, url } = proxy;
    await proxy.close();
    const late = connectBus({ url, name: 'late', log: testLog() });
    open.push(late);
    expect(late.connected).toBe(false);
    expect(late.publish('x', bytes('x'))).toBe(false);
    expect(await settled(late.append('x', bytes('x'), { id: '1' }))).toBeInstanceOf(Unavailable);
    expect(await settled(late.ensureStream(stream))).toBeInstanceOf(Unavailable);
    await throughProxy(port);
    await eventually(() => late.ensureStream(stream));
  });

  test('frozen: appends end as unknown, the connection is given up, and it comes back by itself', async () => {
    await bus.ensureStream(stream);
    const proxy = await throughProxy();
    const through = await connectToBus(proxy.url);
    proxy.freeze();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        settled(through.append(`${namespace}.log.a`, bytes('x'), { id: `frozen ${at}` })),
      ),
    );
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(UnknownOutcome);
    await eventually(() => expect(through.connected).toBe(false));
    proxy.thaw();
    await eventually(() => expect(through.connected).toBe(true));
    expect((await through.append(`${namespace}.log.a`, bytes('x'), { id: 'after' })).duplicate).toBe(false);
  });

  test('cut under an append: unknown at once, and the same id finds out', async () => {
    await bus.ensureStream(stream);
    const proxy = await throughProxy();
    const through = await connectToBus(proxy.url);
    proxy.onSent = (sent) => {
      if (sent.includes('.log.a')) setTimeout(() => proxy.cut(), 0);
    };
    const outcome = await settled(through.append(`${namespace}.log.a`, bytes('x'), { id: 'once' }));
    proxy.onSent = null;
    await eventually(async () => {
      await through.append(`${namespace}.log.a`, bytes('x'), { id: 'once' });
    });
    expect(outcome instanceof UnknownOutcome || (outcome as { sequence: number }).sequence === 1).toBe(true);
    expect((await bus.append(`${namespace}.log.a`, bytes('y'), { id: 'next' })).sequence).toBe(2);
  });

  test('closing ends the tries of a bus that never connected', async () => {
    const proxy = await throughProxy();
    await proxy.close();
    const late = connectBus({ url: proxy.url, name: 'late', log: testLog() });
    await late.close();
    expect(late.connected).toBe(false);
    expect(await settled(late.append('x', bytes('x'), { id: '1' }))).toBeInstanceOf(Unavailable);
  });

  test('delivers what was published before closing', async () => {
    const leaving = await connectToBus();
    const received: string[] = [];
    bus.subscribe(`${namespace}.a`, (message) => received.push(text(message)));
    await eventually(() => {
      received.length = 0;
      bus.publish(`${namespace}.a`, bytes('probe'));
      return eventually(() => expect(received).not.toHaveLength(0), 200);
    });
    for (let at = 0; at < 500; at++) leaving.publish(`${namespace}.a`, bytes(`${at}`));
    await leaving.close();
    await eventually(() => expect(received.filter((message) => message !== 'probe')).toHaveLength(500));
  });
});
