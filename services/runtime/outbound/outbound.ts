// Sends requests to URLs that merchants configure: bounds time and bytes, and never connects to our own network.
// Schedules the retries of deliveries.
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Environment } from '#runtime/call/call.ts';

export interface OutboundRequest {
  readonly url: string;
  /** Environment of the API key that configured the URL. Only a sandbox's URL may name this machine. */
  readonly environment: Environment;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Time-out in ms from the DNS look-up to the last byte. */
  readonly timeoutMs: number;
  /** Bytes that are read of the body; 64 kB by default. */
  readonly bytesMax?: number;
  /** Receives the body in chunks; `body` then stays empty. The next chunk is read after the promise resolves. */
  readonly sink?: (chunk: Uint8Array) => Promise<void>;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Headers by lower-case name; values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** Returned where no response came. A redirect is a response and is never followed. */
export class OutboundFailure {
  /** `refused`: the URL or its address is not allowed, so nothing was sent. */
  readonly reason: 'refused' | 'unreachable' | 'timed_out';
  readonly message: string;

  constructor(reason: OutboundFailure['reason'], message: string) {
    this.reason = reason;
    this.message = message;
  }
}

export interface Outbound {
  readonly allowLocal: boolean;
  send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>;
}

export type Resolve = (host: string) => Promise<readonly string[]>;

export interface OutboundOptions {
  readonly allowLocal: boolean;
  readonly resolve?: Resolve | undefined;
  readonly ca?: string;
}

const BODY_BYTES_MAX = 64 * 1024;
const URL_LENGTH_MAX = 2048;
const PORT_UNPRIVILEGED_MIN = 1024;
const ADDRESSES_TRIED_MAX = 4;
/** Errors that occur before anything is sent, after which the host's next address is tried. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT']);

const FORBIDDEN_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

// The allowed IPv6 addresses: global unicast. This excludes loopback, mapped IPv4, NAT64, unique local, link-local,
// multicast and unassigned addresses. The next list has the exceptions within it.
const GLOBAL_V6: readonly [string, number] = ['2000::', 3];
const FORBIDDEN_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments, with Teredo, ORCHID and benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

const forbidden = new BlockList();
for (const [net, prefix] of FORBIDDEN_V4) forbidden.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of FORBIDDEN_V6) forbidden.addSubnet(net, prefix, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet(...GLOBAL_V6, 'ipv6');

const isPublic = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !forbidden.check(address, 'ipv4');
  return family === 6 && globalV6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
};

const isLoopback = (address: string): boolean => (isIP(address) === 4 ? address.startsWith('127.') : address === '::1');

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Checks whether a merchant may configure this URL. Returns the parsed URL, or a sentence about the fault. Production
 * requires https, no user name or password, port 443, 8443 or from 1024 up, and a public host. With `allowLocal` a
 * sandbox may use http and loopback. The host name is resolved only at each request.
 */
export const checkUrl = (
  text: string,
  environment: Environment,
  { allowLocal }: { readonly allowLocal: boolean },
): URL | string => {
  if (text.length > URL_LENGTH_MAX) return `A URL has at most ${URL_LENGTH_MAX} characters.`;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'Not an http(s) URL.';
  const local = allowLocal && environment === 'sandbox';
  if (url.protocol === 'http:' && !local) return 'The URL has to be https.';
  if (url.username !== '' || url.password !== '') return 'The URL may not hold a user name or password.';
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const portAllowed = port === 443 || port === 8443 || port >= PORT_UNPRIVILEGED_MIN || (local && port === 80);
  if (!portAllowed) return `Port ${port} is not allowed; use 443, 8443 or one from ${PORT_UNPRIVILEGED_MIN} up.`;
  const host = hostOf(url);
  if (host.split('.').includes('')) return 'The URL has to name a public host.';
  const named = isIP(host) === 0;
  const localName = named && (host === 'localhost' || host.endsWith('.localhost'));
  if (local && (localName || isLoopback(host))) return url;
  if (named ? localName || !host.includes('.') : !isPublic(host)) return 'The URL has to name a public host.';
  return url;
};

const resolveSystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map((found) => found.address);

export const connectOutbound = (options: OutboundOptions): Outbound => {
  const resolve = options.resolve ?? resolveSystem;
  const { allowLocal } = options;

  /**
   * Returns the host's checked addresses. Connections use these, so that a DNS change after the check has no effect.
   */
  const pin = async (url: URL, environment: Environment): Promise<readonly string[] | OutboundFailure> => {
    const host = hostOf(url);
    let addresses: readonly string[];
    try {
      addresses = isIP(host) === 0 ? await resolve(host) : [host];
    } catch {
      return new OutboundFailure('unreachable', 'The host name could not be resolved.');
    }
    const local = allowLocal && environment === 'sandbox';
    const allowed = addresses.filter((address) => isPublic(address) || (local && isLoopback(address)));
    if (allowed.length === 0) return new OutboundFailure('refused', 'The host has no public address.');
    return allowed.slice(0, ADDRESSES_TRIED_MAX);
  };

  const exchange = (
    request: OutboundRequest,
    url: URL,
    address: string,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> =>
    new Promise((settle, fail) => {
      const client = url.protocol === 'https:' ? https : http;
      const bytesMax = request.bytesMax ?? BODY_BYTES_MAX;
      const outgoing = client.request(
        {
          host: hostOf(url),
          port: url.port === '' ? undefined : Number(url.port),
          path: url.pathname + url.search,
          method: request.method ?? 'GET',
          // Asks for an uncompressed body, since a few compressed bytes could expand beyond every bound.
          headers: { host: url.host, 'user-agent': 'Stoa/1.0', 'accept-encoding': 'identity', ...request.headers },
          agent: false,
          signal,
          ca: options.ca,
          lookup: (_host, wanted, done) =>
            wanted.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
        },
        (incoming) => {
          const { sink } = request;
          const chunks: Uint8Array[] = [];
          let bytes = 0;
          let sunk = Promise.resolve();
          const finish = (truncated: boolean) =>
            settle(
              sunk.then(() => ({
                status: incoming.statusCode ?? 0,
                headers: Object.fromEntries(
                  Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
                ),
                body: Buffer.concat(chunks),
                truncated,
              })),
            );
          incoming.on('data', (chunk: Uint8Array) => {
            const room = bytesMax - bytes;
            const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
            bytes += chunk.length;
            if (sink) {
              incoming.pause();
              sunk = sunk.then(() => sink(part));
              sunk.then(
                () => incoming.resume(),
                (fault) => {
                  fail(fault);
                  incoming.destroy();
                },
              );
            } else chunks.push(part);
            if (bytes <= bytesMax) return;
            finish(true);
            incoming.destroy();
          });
          incoming.on('end', () => (incoming.complete ? finish(false) : fail(new Error('cut off'))));
          incoming.on('aborted', () => fail(new Error('cut off')));
          incoming.on('error', fail);
        },
      );
      outgoing.on('error', fail);
      outgoing.end(request.body);
    });

  const send = async (request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure> => {
    const url = checkUrl(request.url, request.environment, { allowLocal });
    if (typeof url === 'string') return new OutboundFailure('refused', url);
    const overdue = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<OutboundFailure>((settle) => {
      timer = setTimeout(() => {
        settle(new OutboundFailure('timed_out', `No complete answer within ${request.timeoutMs} ms.`));
        overdue.abort();
      }, request.timeoutMs);
    });
    const attempt = async (): Promise<OutboundAnswer | OutboundFailure> => {
      const addresses = await pin(url, request.environment);
      if (addresses instanceof OutboundFailure) return addresses;
      let code = '';
      for (const address of addresses) {
        if (overdue.signal.aborted) return timeout;
        try {
          return await exchange(request, url, address, overdue.signal);
        } catch (fault) {
          code = (fault as NodeJS.ErrnoException).code ?? (fault as Error).message;
          if (!NOT_CONNECTED.has(code)) break;
        }
      }
      return new OutboundFailure('unreachable', `The connection failed: ${code}.`);
    };
    try {
      return await Promise.race([timeout, attempt()]);
    } finally {
      clearTimeout(timer);
    }
  };

  return { allowLocal, send };
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before the first to the seventh retry. When the last retry fails, the delivery is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
];

/** Largest share by which a delay is extended at random, so that retries after one outage spread out. */
const LATENESS_MAX = 0.05;

/**
 * Returns the delay before the next attempt in ms; null: no attempts are left. `step` counts the attempts made;
 * `chance` is a random number from 0 to 1.
 */
export const retryDelayMs = (step: number, chance: number): number | null => {
  const delay = RETRY_DELAYS_MS[step - 1];
  return delay === undefined ? null : Math.round(delay * (1 + LATENESS_MAX * chance));
};
