// Sends calls: with key, session, signature and idempotency key as the method needs them; again where that is safe; until the
// deadline.
import { type CallFacts, networkError, parseAnswer, refusalOf, timeoutError } from './answer.ts';
import { deadlineOf, pause, within } from './deadline.ts';
import { StoaError } from './error.ts';
import type { CallOptions } from './method.ts';
import type { Send } from './resource.ts';
import { waitBefore } from './retry.ts';
import { AnswerCache } from './revalidation.ts';
import { type EncodedRequest, encodeRequest, type MethodArguments, type Route } from './route.ts';
import { credentialHeader, type ShopperCredential, type ShopperSession } from './session.ts';
import type { Signer } from './signing.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | Blob | null;
    readonly signal: AbortSignal;
    /** A redirect is never followed: it would take tokens to another place. */
    readonly redirect: 'manual';
  },
) => Promise<Response>;

/** One attempt of a call, as it went. */
export interface Exchange {
  /** The client's method: `products.get`. */
  readonly name: string;
  /** The arguments of the call. */
  readonly request: MethodArguments;
  /** `GET /v1/products/{id}`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** JSON; null also of a file. */
  readonly body: string | null;
  /** Counts from 1. */
  readonly attempt: number;
  /** 0 where no answer came. */
  readonly status: number;
  readonly requestId: string | null;
  readonly durationMs: number;
}

export interface ClientOptions {
  /** Base URL of the API: `https://api.example.com`. */
  readonly url: string;
  readonly fetch?: Fetch;
  /** Limit of a whole call, waits and repetitions included; 60 s by default. */
  readonly timeoutMs?: number;
  /** Limit of one attempt; 20 s by default. */
  readonly attemptTimeoutMs?: number;
  /** How often a call may be sent again; 3 unless said. */
  readonly retries?: number;
  /** How many answers are kept to be revalidated, or a cache that several clients share; 100 unless said. */
  readonly cachedAnswers?: number | AnswerCache;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called after every attempt. */
  readonly observe?: (exchange: Exchange) => void;
}

/** A client's options, key and shopper. */
export interface Connection extends ClientOptions {
  /** Null where a cookie of the browser's names the caller. */
  readonly key: string | null;
  readonly shopper: ShopperSession;
  readonly signer?: Signer | undefined;
  /** Sent in every request's query. */
  readonly query?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 60_000;
const ATTEMPT_TIMEOUT_MS = 20_000;
const RETRIES = 3;
const CACHED_ANSWERS = 100;

/** A random id without `randomUUID`, which pages without https lack. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A call and the parts that all its attempts share. */
interface Sending {
  readonly connection: Connection;
  readonly cache: AnswerCache;
  readonly route: Route;
  readonly args: MethodArguments;
  readonly encoded: EncodedRequest;
  readonly url: string;
  readonly call: CallOptions;
  readonly idempotencyKey: string | null;
}

export const createSend = (connection: Connection): Send => {
  const { cachedAnswers: cached = CACHED_ANSWERS } = connection;
  const cache = typeof cached === 'number' ? new AnswerCache(cached) : cached;
  const base = connection.url.replace(/\/+$/, '');
  return async (route, args, call) => {
    const encoded = encodeRequest(route, args);
    const query = new URLSearchParams(connection.query).toString();
    const url = `${base}${encoded.path}${query && (encoded.path.includes('?') ? '&' : '?')}${query}`;
    const idempotencyKey = route.writes && !route.once ? (call.idempotencyKey ?? randomId()) : null;
    return sendAndRepeat({ connection, cache, route, args, encoded, url, call, idempotencyKey });
  };
};

const sendAndRepeat = async (sending: Sending): Promise<unknown> => {
  const { connection, route, call, encoded, idempotencyKey } = sending;
  const { signer } = connection;
  const whole = call.timeoutMs ?? connection.timeoutMs ?? (route.slow ? 2 * TIMEOUT_MS : TIMEOUT_MS);
  const retries = call.retries ?? connection.retries ?? RETRIES;
  const until = Date.now() + whole;
  const leftMs = (): number => Math.max(0, until - Date.now());
  const sign = async () => (route.signed && signer ? signer.sign(encoded.body ?? '') : {});
  let signature = await sign();
  let renewed = false;
  let resigned = false;
  let unsettled = false;
  for (let attempts = 1; ; attempts++) {
    const facts = { route, idempotencyKey, attempts, unsettled };
    const credential = await credentialFor(sending, facts, leftMs());
    try {
      return await sendOnce(sending, facts, credential, signature, leftMs());
    } catch (error) {
      if (!(error instanceof StoaError)) throw error;
      unsettled ||= error.unknown;
      if (error.status === 401 && credential && call.shopper === undefined && !renewed) {
        renewed = true;
        if (await inTime(sending, facts, leftMs(), renew(connection.shopper, credential))) continue;
      }
      if (isUntimely(error) && route.signed && !resigned) {
        resigned = true;
        signature = await sign();
        continue;
      }
      const wait = waitBefore(error, !route.writes || idempotencyKey !== null, attempts);
      if (wait === null || attempts > retries || Date.now() + wait >= until) throw error;
      await pause(wait, call.signal);
    }
  }
};

const credentialFor = async (sending: Sending, facts: CallFacts, leftMs: number): Promise<ShopperCredential | null> => {
  const { connection, route, call, args } = sending;
  const wanted = route.session === 'always' || (route.session === 'named' && args.customer_id != null);
  if (!wanted) return null;
  return call.shopper === undefined ? inTime(sending, facts, leftMs, connection.shopper.fresh()) : call.shopper;
};

/** A renewal asks the shop's own server, which knows neither the call's deadline nor its signal. */
const inTime = async <T>({ call }: Sending, facts: CallFacts, leftMs: number, renewal: Promise<T>): Promise<T> => {
  const deadline = deadlineOf(call.signal, leftMs);
  try {
    return await within(deadline, renewal);
  } catch (problem) {
    throw deadline.passed() ? timeoutError(facts, problem, facts.unsettled) : problem;
  } finally {
    deadline.release();
  }
};

/** Whether this machine's clock is wrong: the refusal's details tell the server's time. */
const isUntimely = ({ status, details }: StoaError): boolean => status === 401 && details !== undefined;

/** Whether another credential stands in the refused one's place. */
const renew = async (shopper: ShopperSession, spent: ShopperCredential): Promise<boolean> => {
  const credential = await shopper.renewed(spent).catch(() => null);
  return credential !== null && credential !== spent;
};

const headersOf = (
  { connection, route, encoded, call, idempotencyKey }: Sending,
  credential: ShopperCredential | null,
): Record<string, string> => {
  const { key, shopper, headers } = connection;
  return {
    ...(route.keyless || key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(encoded.body === null ? {} : { 'content-type': 'application/json' }),
    ...(encoded.file === null ? {} : { 'content-type': encoded.file.type || 'application/octet-stream' }),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    ...(credential ? Object.fromEntries([credentialHeader(credential)]) : {}),
    ...(route.browsing && shopper.sessionId ? { 'x-session-id': shopper.sessionId } : {}),
    ...headers,
    ...encoded.headers,
    ...call.headers,
  };
};

const sendOnce = async (
  sending: Sending,
  facts: CallFacts,
  credential: ShopperCredential | null,
  signature: Readonly<Record<string, string>>,
  leftMs: number,
): Promise<unknown> => {
  const { connection, cache, route, url, encoded, call } = sending;
  const { observe, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS } = connection;
  const headers: Record<string, string> = { ...headersOf(sending, credential), ...signature };
  // Two shoppers read different answers at one address, and so do two languages.
  const name = `${url}\n${JSON.stringify([headers['x-session-id'], credential, connection.headers, call.headers])}`;
  const cached = route.verb === 'GET' && route.answer !== 'bytes' ? cache.get(name) : undefined;
  if (cached) headers['if-none-match'] = cached.etag;
  const began = performance.now();
  const deadline = deadlineOf(call.signal, route.slow ? leftMs : Math.min(leftMs, attemptTimeoutMs));
  let response: Response | undefined;
  try {
    const ask = connection.fetch ?? ((address, init) => fetch(address, init));
    response = await ask(url, {
      method: route.verb,
      headers,
      body: encoded.file ?? encoded.body,
      signal: deadline.signal,
      redirect: 'manual',
    });
    if (response.status === 304 && cached) return readBody(facts, response, cached.text);
    if (response.ok && route.answer === 'bytes') return new Uint8Array(await response.arrayBuffer());
    const text = await response.text();
    if (!response.ok) {
      if (response.status === 401) connection.signer?.follow(response.headers.get('date'));
      throw refusalOf(facts, response, text);
    }
    if (route.verb === 'GET') cache.keep(name, response, text);
    return readBody(facts, response, text);
  } catch (problem) {
    if (problem instanceof StoaError) throw problem;
    if (deadline.passed()) throw timeoutError(facts, problem);
    if (call.signal?.aborted) throw call.signal.reason;
    throw networkError(facts, problem);
  } finally {
    deadline.release();
    observe?.({
      name: route.name,
      request: sending.args,
      operation: `${route.verb} ${route.path}`,
      method: route.verb,
      url,
      body: encoded.body,
      attempt: facts.attempts,
      status: response?.status ?? 0,
      requestId: response?.headers.get('x-request-id') ?? null,
      durationMs: performance.now() - began,
    });
  }
};

const readBody = (facts: CallFacts, response: Response, text: string): unknown =>
  facts.route.answer === 'json' ? parseAnswer(facts, response, text) : text;
