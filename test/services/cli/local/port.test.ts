// Ports of the local servers are remembered, and another program's port is left to it.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePort, freePort, isPortFree, rememberedPort } from '#services/cli/local/port.ts';

let home: string;
const servers: Server[] = [];

const occupy = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const server = createServer();
    servers.push(server);
    server.listen(port, '127.0.0.1', resolve);
  });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stoa-port-'));
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(home, { recursive: true });
});

test('a port stays the same from one start to the next', async () => {
  const first = await rememberedPort(home, 'postgres');
  expect(await rememberedPort(home, 'postgres')).toBe(first);
});

test('two servers of one home have ports of their own', async () => {
  const postgres = await rememberedPort(home, 'postgres');
  expect(await rememberedPort(home, 'nats')).not.toBe(postgres);
  expect(await rememberedPort(home, 'postgres')).toBe(postgres);
});

test('a port that another program listens on meanwhile is left to it, for good', async () => {
  const first = await rememberedPort(home, 'nats');
  await occupy(first);
  const second = await rememberedPort(home, 'nats');
  expect(second).not.toBe(first);
  expect(await rememberedPort(home, 'nats')).toBe(second);
});

test('a taken port is told from a free one', async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  await occupy(port);
  expect(await isPortFree(port)).toBe(false);
});

test('chooses a new port when the remembered one is unreadable', async () => {
  for (const spoiled of ['', '{', 'null', '{"nats":"x"}', '{"nats":70000}']) {
    writeFileSync(join(home, 'ports.json'), spoiled);
    expect(await rememberedPort(home, 'nats')).toBeGreaterThan(0);
  }
});

test('only its owner reads what is remembered', async () => {
  await choosePort(home, 'nats');
  expect(statSync(join(home, 'ports.json')).mode & 0o777).toBe(0o600);
});
