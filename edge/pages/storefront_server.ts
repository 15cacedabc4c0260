// Serves the demo storefront's server at `POST /shop/server/<name>`, with the secret key and signing secret of the demo
// store's sandbox.
import { readFile } from 'node:fs/promises';
import { commonHeaders, refusalResponse } from '#edge/answer.ts';
import { readBody } from '#edge/gates/body.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { StoaError, server } from '#proto/client/server.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { forVisitor, type RequestFields, serverHandlers } from './storefront/back/handler.ts';

const LIMITS = { bytes_max: 16 * 1024, raw: [] };
const TIMEOUT_MS = 10_000;
const KEY = /^svc_sk_test_[A-Za-z0-9_-]{8,200}$/;

const NO_DEMO = refuse('not_found', 'This system has no demo store.');
const NOT_JSON = refuse('invalid_request', 'The body must be a JSON object whose values are strings.');

interface Secrets {
  readonly key: `svc_sk_test_${string}`;
  readonly hmacSecret: string;
}

const isKey = (text: unknown): text is Secrets['key'] => typeof text === 'string' && KEY.test(text);

const readSecrets = async (file: string): Promise<Secrets | null> => {
  if (file === '') return null;
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { secret_test_key: key, hmac_test_secret: hmacSecret } = read;
    return isKey(key) && typeof hmacSecret === 'string' ? { key, hmacSecret } : null;
  } catch {
    return null;
  }
};

const readBodyFields = async (request: Request): Promise<RequestFields | Refusal> => {
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

const jsonResponse = (context: RequestContext, body: object, status: number): Response => {
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  return new Response(JSON.stringify(body), { status, headers });
};

/** `demoFile` contains the demo's keys; `addressOf` returns the visitor's address. Returns null for an unknown path. */
export const storefrontServer =
  (demoFile: string, publicUrl: () => string, addressOf: (request: Request) => string) =>
  async (context: RequestContext, name: string): Promise<Response | null> => {
    const handler = Object.hasOwn(serverHandlers, name) ? serverHandlers[name]! : null;
    if (handler === null) return null;
    const secrets = await readSecrets(demoFile);
    if (secrets === null) return refusalResponse(context, NO_DEMO);
    const fields = await readBodyFields(context.request);
    if (fields instanceof Refusal) return refusalResponse(context, fields);
    const api = server({ url: publicUrl(), ...secrets, timeoutMs: TIMEOUT_MS });
    try {
      return jsonResponse(context, await handler(forVisitor(api, addressOf(context.request)), fields), 200);
    } catch (problem) {
      if (!(problem instanceof StoaError)) throw problem;
      const { code, message, param, status } = problem;
      return jsonResponse(context, { error: { code, message, param } }, status === 0 ? 503 : status);
    }
  };
