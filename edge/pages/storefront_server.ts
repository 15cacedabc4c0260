// The demo storefront's own server, `POST /shop/server/<what>`: what a browser's key does not open. It signs shoppers in by
// a magic link, whose mail it reads from the sandbox's outbox, and lists a signed-in shopper's orders.
import { readFile } from 'node:fs/promises';
import { commonHeaders, refusalResponse } from '#edge/answer.ts';
import { readBody } from '#edge/gates/body.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Server, StoaError, server } from '#proto/client/server.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';

const LIMITS = { bytes_max: 16 * 1024, raw: [] };
const TIMEOUT_MS = 10_000;
const ORDERS_SHOWN = 20;
const ORDERS_READ = 100;
const KEY = /^svc_sk_test_[A-Za-z0-9_-]{8,200}$/;

const NO_DEMO = refuse('not_found', 'There is no demo store here.');
const NOT_JSON = refuse('invalid_request', 'The body must be a JSON object of texts.');

type Asked = Readonly<Record<string, string>>;
type Answer = (back: Server, asked: Asked) => Promise<object>;

/** The link of the newest mail to this address; null where none has come yet. */
const newestLink = async (back: Server, email: string): Promise<string | null> => {
  const { messages } = await back.sandbox.messages.list({ email });
  return messages[0]?.link ?? null;
};

const tokenOf = (link: string | null): string | null =>
  link === null ? null : new URL(link).searchParams.get('token');

/** An account is made where there is none, so that the first context needs no form of its own. */
const makeKnown = async (back: Server, email: string): Promise<void> => {
  try {
    await back.customers.create({ email });
  } catch (problem) {
    if (!(problem instanceof StoaError) || problem.status !== 409) throw problem;
  }
};

const signIn: Answer = async (back, { email = '' }) => {
  await makeKnown(back, email);
  await back.auth.magicLink.send({ email });
  return { token: tokenOf(await newestLink(back, email)) };
};

const verify: Answer = (back, { token = '' }) => back.auth.magicLink.verify({ token });

const renew: Answer = (back, { refresh_token = '' }) => back.auth.refresh({ refresh_token });

/** The session says whose orders they are: the account's, and those that a guest placed with its proved address. */
const orders: Answer = async (back, { access_token = '', expires_at = '' }) => {
  const { customer } = await back.as({ credential: { access_token, expires_at } }).auth.me.get();
  const { orders: newest } = await back.orders.list({ limit: ORDERS_READ });
  const own = newest.filter(({ customer_id, email }) => customer_id === customer.id || email === customer.email);
  return { orders: own.slice(0, ORDERS_SHOWN) };
};

const ANSWERS: Readonly<Record<string, Answer>> = { 'sign-in': signIn, verify, renew, orders };

const readSecret = async (file: string): Promise<string | null> => {
  if (file === '') return null;
  try {
    const { secret_test_key: key }: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    return typeof key === 'string' && KEY.test(key) ? key : null;
  } catch {
    return null;
  }
};

const readAsked = async (request: Request): Promise<Asked | Refusal> => {
  const body = await readBody(request, LIMITS);
  if (body instanceof Refusal) return body;
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(body.bytes ?? new Uint8Array()));
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return NOT_JSON;
    const texts = Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts);
  } catch {
    return NOT_JSON;
  }
};

const told = (context: RequestContext, body: object, status: number): Response => {
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  return new Response(JSON.stringify(body), { status, headers });
};

/** `demoFile` is where the demo's keys are kept; null for a path that does not exist. */
export const storefrontServer =
  (demoFile: string, publicUrl: () => string) =>
  async (context: RequestContext, what: string): Promise<Response | null> => {
    const answer = Object.hasOwn(ANSWERS, what) ? ANSWERS[what]! : null;
    if (answer === null) return null;
    const key = await readSecret(demoFile);
    if (key === null) return refusalResponse(context, NO_DEMO);
    const asked = await readAsked(context.request);
    if (asked instanceof Refusal) return refusalResponse(context, asked);
    const back = server({ url: publicUrl(), key: key as `svc_sk_test_${string}`, timeoutMs: TIMEOUT_MS });
    try {
      return told(context, await answer(back, asked), 200);
    } catch (problem) {
      if (!(problem instanceof StoaError)) throw problem;
      const { code, message, param, status } = problem;
      return told(context, { error: { code, message, param } }, status === 0 ? 503 : status);
    }
  };
