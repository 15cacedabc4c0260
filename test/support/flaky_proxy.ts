// Runs an HTTP proxy in front of a real server that fails on command: loses requests, loses responses, or refuses for a while.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fault of the next request: the request is lost, its answer is lost, it hangs, or it gets another answer. */
export type Fault =
  | 'lose request'
  | 'lose answer'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface FlakyProxy {
  readonly url: string;
  /** Faults of the next requests, in order; all later requests succeed. */
  readonly faults: Fault[];
  /** Requests received, in order. */
  readonly requests: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const pass = async (target: string, request: IncomingMessage): Promise<Response> => {
  const body = await readAll(request);
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  return fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
    redirect: 'manual',
  });
};

const forward = async (answer: Response, reply: ServerResponse): Promise<void> => {
  const text = Buffer.from(await answer.arrayBuffer());
  const headers = [...answer.headers].filter(
    ([name]) => !/^(content-encoding|content-length|transfer-encoding)$/.test(name),
  );
  reply.writeHead(answer.status, Object.fromEntries(headers)).end(text);
};

export const startFlakyProxy = async (target: string): Promise<FlakyProxy> => {
  const faults: Fault[] = [];
  const requests: FlakyProxy['requests'] = [];
  const server = createServer(async (request, reply) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    const fault = faults.shift();
    if (fault === 'hang') return;
    if (fault === 'lose request') {
      request.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      reply.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.body ?? '');
      return;
    }
    const answer = await pass(target, request);
    if (fault === 'lose answer') {
      await answer.arrayBuffer();
      request.socket.destroy();
      return;
    }
    await forward(answer, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
