// A nats-server of a home: keeps its streams, is closed to clients without its password, and starts after any kind of end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bus, connectBus } from '#runtime/nats/nats.ts';
import type { LocalServer } from '#services/cli/local/child.ts';
import { commandLine } from '#services/cli/local/child.ts';
import { natsGreeting, startNats } from '#services/cli/local/nats.ts';
import { eventually, testLog } from '#test/support/server.ts';

let home: string;
let server: LocalServer;

const start = async (): Promise<void> => {
  server = await startNats({ home, log: () => {} });
};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'stoa-nats-'));
  await start();
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true });
});

const withBus = async <T>(url: string, work: (bus: Bus) => Promise<T>): Promise<T> => {
  const bus = connectBus({ url, name: 'test', log: testLog() });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
};

const STREAM = {
  name: 'KEPT',
  subjects: ['kept.>'],
  ageMsMax: 0,
  bytesMax: 1_000_000,
  messagesMax: 100,
  duplicateMs: 1000,
  replicas: 1,
};

/** The message's place in the stream. */
const append = (id: string): Promise<number> =>
  withBus(server.url, async (bus) => {
    await eventually(() => expect(bus.connected).toBe(true));
    await bus.ensureStream(STREAM);
    return (await bus.append('kept.word', new Uint8Array([1]), { id })).sequence;
  });

test('keeps acknowledged data over a stop and a kill', async () => {
  expect(await append('one')).toBe(1);
  const { url } = server;
  await server.stop();
  await start();
  expect(server.url).toBe(url);
  expect(await append('two')).toBe(2);
  process.kill(server.child.pid, 'SIGKILL');
  await server.child.exited;
  await start();
  expect(await append('three')).toBe(3);
});

test('answers with its own name and refuses clients without the password', async () => {
  expect(await server.answers()).toBe(true);
  const { port, hostname } = new URL(server.url);
  expect(hostname).toBe('127.0.0.1');
  expect(await natsGreeting('127.0.0.1', Number(port))).toContain('"auth_required":true');
});

test('one that outlived its supervisor is ended before the next one starts', async () => {
  const stray = server.child.pid;
  await start();
  expect(commandLine(stray)).toBe('');
  expect(await server.answers()).toBe(true);
});
