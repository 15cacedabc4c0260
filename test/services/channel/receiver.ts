// Plays a sales channel: stores pushes and responds as a test configures.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Push {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly lines: readonly Record<string, unknown>[];
}

/** A result for each product, or another response. */
export type Answering = (push: Push) => { readonly status?: number; readonly body?: string; readonly hangMs?: number };

export interface Channel {
  readonly url: string;
  readonly pushes: Push[];
  /** Newest line by product. */
  readonly received: Map<string, Record<string, unknown>>;
  answer: Answering;
  close(): void;
}

export const idOf = (line: Record<string, unknown>): string => String(line.product_id ?? line.itemGroupId ?? line.id);

/** Accepts all products except those with a reason here. */
export const accepting =
  (reason: (line: Record<string, unknown>) => string | null = () => null): Answering =>
  ({ lines }) => ({
    body: JSON.stringify({
      results: lines.map((line) => {
        const message = reason(line);
        return { product_id: idOf(line), status: message === null ? 'accepted' : 'rejected', message };
      }),
    }),
  });

export const startChannel = async (): Promise<Channel> => {
  const pushes: Push[] = [];
  const received = new Map<string, Record<string, unknown>>();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const lines = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const push = { headers: request.headers, body, lines };
    pushes.push(push);
    const { status = 200, body: answer = '', hangMs = 0 } = channel.answer(push);
    if (hangMs > 0) await sleep(hangMs);
    if (status < 300) for (const line of lines) received.set(idOf(line), line);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(answer);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const channel: Channel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    pushes,
    received,
    answer: accepting(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return channel;
};
