// A merchant's server that webhooks are sent to: it notes what came, and answers as the test wants it to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into envelopes of every type
  readonly event: any;
}

type Answer = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on; 200 until told otherwise. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export const ok: Answer = (_request, response) => response.end('ok');
export const failing =
  (status: number): Answer =>
  (_request, response) =>
    response.writeHead(status).end();

export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let how: Answer = ok;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one = { path: request.url ?? '', headers, body, event: JSON.parse(body) };
      received.push(one);
      how(request, response, one);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      how = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};
