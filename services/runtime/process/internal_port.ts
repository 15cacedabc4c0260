// Serves metrics and health on the internal port, which must not be public.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './log.ts';
import { registry } from './metric.ts';

export interface Health {
  readonly ready: boolean;
  readonly components: Readonly<Record<string, string>>;
}

export interface InternalOptions {
  readonly port: number;
  readonly host?: string;
  readonly health: () => Health | Promise<Health>;
  readonly log: Log;
}

export interface InternalServer {
  readonly port: number;
  drain(): void;
  close(): Promise<void>;
}

interface InternalResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const NOT_FOUND: InternalResponse = { status: 404, type: 'text/plain', body: 'not found\n' };

/**
 * Serves `/metrics`, `/readyz` and `/healthz`. `/readyz` is 503 when the process should get no traffic; `/healthz` is
 * 200 until the process drains. An unavailable dependency only changes the status to `degraded`, since a restart would
 * not help.
 */
export const serveInternal = async (options: InternalOptions): Promise<InternalServer> => {
  const { health, log } = options;
  let draining = false;
  const healthResponse = async (path: '/healthz' | '/readyz'): Promise<InternalResponse> => {
    const { ready, components } = await health();
    const well = Object.values(components).every((state) => state === 'ok');
    const ok = !draining && (ready || path === '/healthz');
    const status = draining ? 'draining' : well ? 'ok' : 'degraded';
    return { status: ok ? 200 : 503, type: 'application/json', body: JSON.stringify({ ok, status, components }) };
  };
  const answer = async (path: string): Promise<InternalResponse> => {
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
    return path === '/healthz' || path === '/readyz' ? healthResponse(path) : NOT_FOUND;
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    answer(path).then(
      ({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      (problem) => {
        log.error({ err: problem, path }, 'failed to answer on the internal port');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
