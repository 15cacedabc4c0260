// The page's client of the shop's server, and the stored session of the signed-in shopper.
import type { SessionTokens } from '#proto/client/storefront.ts';
import { ShopRefusal } from './refusal.ts';
import { renewStoredSession, type StoredSession } from './renewal.ts';
import type { ServerCall } from './request_snippet.ts';

const SESSION_KEY = 'stoa-shop-shopper';

let address: string | undefined;
let language = '';
let observe: (call: ServerCall) => void = () => {};

/** `url` is undefined if the shop has no server. Every call names the page's language; `observer` is called with each completed one. */
export const configureServer = (url: string | undefined, shown: string, observer: (call: ServerCall) => void): void => {
  address = url && new URL(url, location.href).href;
  language = shown;
  observe = observer;
};

const post = async (url: string, body: string): Promise<Response> => {
  const since = performance.now();
  let status = 0;
  try {
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    status = answer.status;
    return answer;
  } finally {
    observe({ url, body, status, durationMs: performance.now() - since });
  }
};

export const askServer = async <T>(what: string, body: Readonly<Record<string, string>>): Promise<T> => {
  const answer = await post(`${address}/${what}`, JSON.stringify({ ...body, language }));
  const read = await answer.json();
  if (!answer.ok) throw new ShopRefusal(read.error?.message ?? '', answer.status, read.error?.code ?? null);
  return read as T;
};

export const mailedToken = (): string | null => new URLSearchParams(location.search).get('token');

export const storedSession = (): StoredSession | null => {
  const text = sessionStorage.getItem(SESSION_KEY);
  return text === null ? null : (JSON.parse(text) as StoredSession);
};

export const storeSession = (session: StoredSession | null): void => {
  if (session) sessionStorage.setItem(SESSION_KEY, JSON.stringify(session));
  else sessionStorage.removeItem(SESSION_KEY);
};

export const renewSession = (): Promise<SessionTokens | null> =>
  renewStoredSession(storedSession(), askServer, storeSession);
