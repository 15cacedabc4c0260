// A whole Stoa for a test: services and an edge on free ports over a real link, with their own database and bus subjects. A
// client speaks HTTP as a merchant or a storefront would.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { expect } from 'vitest';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { routes } from '#proto/gen/routes.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import type { Resolve } from '#runtime/outbound/outbound.ts';
import { type Clock, systemClock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { signatureHeaders } from '#services/cli/signing.ts';
import { type RunningServices, startServices } from '#services/start.ts';
import { retryWhileBusy } from '#test/support/busy_retry.ts';
import { CONNECT_MS, eventually, freshDatabase, freshNamespace, serverUrls, testLog } from '#test/support/server.ts';

export interface Keys {
  readonly store_id: string;
  readonly code: string;
  readonly secret_key: string;
  readonly publishable_key: string;
  readonly secret_test_key: string;
  readonly publishable_test_key: string;
  readonly hmac_secret: string;
  readonly hmac_test_secret: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface SendOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs the body with this secret and adds an idempotency key unless one is given. */
  readonly signWith?: string;
  /** Repeats the request while a busy machine refuses it. A write without an idempotency key is given one. */
  readonly patient?: boolean;
  /** Another release may answer, whose answers hold more or less. */
  readonly anyRelease?: boolean;
}

export interface Stoa {
  readonly url: string;
  readonly services: RunningServices;
  readonly edge: RunningEdge;
  readonly clock: Clock;
  createStore(options?: Readonly<Record<string, unknown>>): Promise<Keys>;
  /** Another edge over the same services. */
  anotherEdge(): RunningEdge;
  send(method: string, path: string, options?: SendOptions): Promise<Reply>;
  stop(): Promise<void>;
}

/** Longer limits than in production, so that none of many who wait for one row is refused while an edge waits. */
const BUSY_LIMITS = { lockTimeoutMs: 6_000, statementTimeoutMs: 8_000 };

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
}));

/** Every answer of a test is held against the contract: success by its schema, failure by the error object. */
function checkAgainstContract(method: string, path: string, body: unknown, reply: Reply): void {
  const target = path.split('?')[0] as string;
  const found = patterns.find(({ route, pattern }) => route.verb === method && pattern.test(target));
  if (reply.status >= 400) {
    if (method === 'HEAD') return;
    expect(reply.headers.get('content-type')).toBe('application/json');
    if (found?.route.oauth) {
      expect(reply.body).toEqual({ error: expect.any(String), error_description: expect.any(String) });
      return;
    }
    expect(reply.body.error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      request_id: expect.any(String),
    });
    return;
  }
  if (found?.route.produces !== 'application/json' || reply.status === 304) return;
  // Cut down to the fields asked for.
  if (path.includes('fields=') || (typeof body === 'object' && body !== null && 'fields' in body)) return;
  const [problem] = [...Value.Errors(found.route.response, reply.body)];
  if (problem)
    throw new Error(
      `${method} ${path} answers outside of its contract: ${problem.path} ${problem.message}, ${JSON.stringify(problem.value)}`,
    );
  expect(reply.status).toBe(found.route.status);
}

export async function sendTo(url: string, method: string, path: string, options: SendOptions = {}): Promise<Reply> {
  const headers: Record<string, string> = {};
  if (options.key !== undefined) headers.Authorization = `Bearer ${options.key}`;
  const raw =
    options.body === undefined || typeof options.body === 'string' || options.body instanceof Uint8Array
      ? (options.body as string | Uint8Array | undefined)
      : JSON.stringify(options.body);
  if (raw !== undefined) headers['Content-Type'] = 'application/json';
  if (options.signWith !== undefined) {
    Object.assign(headers, signatureHeaders(options.signWith, raw ?? ''));
    headers['Idempotency-Key'] = randomUUID();
  }
  if (options.patient && method !== 'GET') headers['Idempotency-Key'] ??= randomUUID();
  Object.assign(headers, options.headers);
  const ask = (): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers,
      ...(raw === undefined ? {} : { body: raw as string }),
      redirect: 'manual',
    });
  const response = await (options.patient ? retryWhileBusy(ask) : ask());
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const reply = { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : null };
  if (!options.anyRelease) checkAgainstContract(method, path, options.body, reply);
  return reply;
}

export interface StoaOptions {
  readonly clock?: Clock;
  /** Stands in for the names of merchants' servers. */
  readonly resolve?: Resolve;
  readonly trustedProxies?: string;
  readonly databaseUrl?: string;
  readonly natsUrl?: string;
  /** Namespace of an earlier system, to continue where that one stopped. */
  readonly namespace?: string;
  /** Other services over the same database, which its edges reach, too. */
  readonly beside?: readonly RunningServices[];
  /** File of a demo's keys. */
  readonly demoFile?: string;
  /** The folder with a demo's pictures. */
  readonly demoPictures?: string;
  /** Log of services and edges. */
  readonly log?: Log;
  /** File with the master key, which the services read again. */
  readonly masterKeyFile?: string;
  /** Lets what test keys configure use http and this machine. */
  readonly allowLocal?: boolean;
  /** Bytes of catalogues that stay in memory. */
  readonly catalogBytesMax?: number;
}

export async function startStoa(options: StoaOptions = {}): Promise<Stoa> {
  const log = options.log ?? testLog();
  const database = options.databaseUrl ? { url: options.databaseUrl, drop: async () => {} } : await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'stoa-link-'));
  const clock = options.clock ?? systemClock();
  const services = await startServices({
    databaseUrl: database.url,
    databaseConnectMs: CONNECT_MS,
    databaseLimits: BUSY_LIMITS,
    natsUrl: options.natsUrl ?? serverUrls().nats,
    masterKey: MASTER_KEY,
    ...(options.masterKeyFile && { masterKeyFile: options.masterKeyFile }),
    link: `unix:${folder}/services.sock`,
    linkToken: '',
    namespace: options.namespace ?? freshNamespace(),
    domains: [],
    log,
    clock,
    resolve: options.resolve,
    settings: {
      ...readSettings(process.env),
      ...(options.allowLocal && { allowLocal: true }),
      ...(options.catalogBytesMax !== undefined && { catalogBytesMax: options.catalogBytesMax }),
      // Known once the edge listens, which needs the services.
      get publicUrl() {
        return edge.url;
      },
    },
  });
  const edges: { edge: RunningEdge; wire: LinkClient }[] = [];
  const anotherEdge = (): RunningEdge => {
    const addresses = [services, ...(options.beside ?? [])].map(({ address }) => address);
    const wire = connectLinks({ addresses, token: '', log });
    const edge = startEdge({
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      wire,
      redis: null,
      log,
      trustedProxies: options.trustedProxies ?? '',
      cacheBytesMax: 32 * 1024 * 1024,
      ...(options.demoFile !== undefined && { demoFile: options.demoFile }),
      ...(options.demoPictures !== undefined && { demoPictures: options.demoPictures }),
    });
    edges.push({ edge, wire });
    return edge;
  };
  const edge: RunningEdge = anotherEdge();
  const { url } = edge;
  while ((await fetch(`${url}/v1/health`)).status !== 200) await Bun.sleep(10);

  return {
    url,
    services,
    edge,
    clock,
    anotherEdge,
    async createStore(given = {}) {
      // A loaded machine may say that it cannot now, and has then done nothing.
      return eventually(async () => {
        const created = await services.runtime.ask('StoreAdmin/CreateStore', NO_TENANT, {
          name: `Store ${randomUUID().slice(0, 8)}`,
          currency: 'USD',
          plan: 'premium',
          ...given,
        });
        if (created instanceof Refusal) throw new Error(created.message);
        return created;
      });
    },
    send: (method, path, sent) => sendTo(url, method, path, sent),
    async stop() {
      for (const { edge: each, wire } of edges) {
        await each.stop();
        await wire.close();
      }
      await services.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<Stoa> | null = null;

/**
 * The system that the test files of a worker share, each with its own stores. The system ends with the worker's process.
 * Tests that turn a host's clock, kill processes or need other options start their own.
 */
export const sharedStoa = async (): Promise<Stoa> => {
  shared ??= startStoa({ allowLocal: true });
  try {
    return await shared;
  } catch (problem) {
    shared = null;
    throw problem;
  }
};
