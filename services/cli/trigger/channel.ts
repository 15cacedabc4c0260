// Causes the events of sales channels; this process plays the channel.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SetupError } from '#services/cli/local/child.ts';
import type { Sandbox, SandboxAnswer } from './sandbox.ts';
import { type Action, name, product } from './sandbox.ts';

const SYNC_MS = 30_000;
const LOOK_MS = 200;

const startChannel = async (): Promise<{ readonly url: string; close(): void }> => {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const results = text
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ product_id: (JSON.parse(line) as { product_id: string }).product_id, status: 'accepted' }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

const connected = async (sandbox: Sandbox, url: string): Promise<SandboxAnswer> =>
  (await sandbox.post('/v1/channels', { provider: 'trigger', name: name('Channel'), url, format: 'stoa' })).channel;

const synced = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  await product(sandbox);
  const own = await startChannel();
  const { id } = await connected(sandbox, own.url);
  try {
    for (
      const until = Date.now() + SYNC_MS;
      Date.now() < until;
      await new Promise((done) => setTimeout(done, LOOK_MS))
    ) {
      const { channel } = await sandbox.get(`/v1/channels/${id}`);
      if (channel.last_sync_at !== null) return channel;
    }
    throw new SetupError('The channel was not synced within 30 seconds. Retry.');
  } finally {
    await sandbox.delete(`/v1/channels/${id}`);
    own.close();
  }
};

export const CHANNEL_ACTIONS: Readonly<Record<string, Action>> = {
  'channel.connected': async (sandbox) => {
    const { id } = await connected(sandbox, 'https://channel.example.com/push');
    return sandbox.delete(`/v1/channels/${id}`);
  },
  'channel.sync.completed': synced,
};
