// Answers `POST <shop>/server/<name>` with the secret key: takes a JSON object of strings, returns JSON.

import type { ShopSecrets } from '#edge/pages/storefront/setting.ts';
import { StoaError, server } from '#proto/client/server.ts';
import { forVisitor, type RequestFields, serverHandlers } from './handler.ts';

const BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 10_000;

/** `address` is the visitor's network address, by which sign-ins are limited; empty if it is unknown. */
export type RespondToServerCall = (request: Request, name: string, address: string) => Promise<Response>;

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });

const refuse = (status: number, message: string): Response => json(status, { error: { message } });

const NOT_FIELDS = 'The body must be a JSON object whose values are strings.';

/** Reads at most `BYTES_MAX`; returns null for a longer body. */
const readText = async ({ body }: Request): Promise<string | null> => {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length <= BYTES_MAX) continue;
    await reader.cancel();
    return null;
  }
  return text;
};

const fieldsOf = (text: string): RequestFields | null => {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
    const texts = Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts);
  } catch {
    return null;
  }
};

/** `apiUrl` is the API's base URL as this server reaches it. */
export const shopServer = (apiUrl: string, { key, hmacSecret }: ShopSecrets): RespondToServerCall => {
  const api = server({ url: apiUrl, key, hmacSecret, timeoutMs: TIMEOUT_MS });
  return async (request, name, address) => {
    const handler = Object.hasOwn(serverHandlers, name) ? serverHandlers[name] : undefined;
    if (!handler) return refuse(404, 'The shop’s server has no such call.');
    if (request.method !== 'POST')
      return json(405, { error: { message: 'The shop’s server takes POST.' } }, { Allow: 'POST' });
    const text = await readText(request);
    if (text === null) return refuse(413, `The body is longer than ${BYTES_MAX} bytes.`);
    const fields = fieldsOf(text);
    if (fields === null) return refuse(400, NOT_FIELDS);
    try {
      return json(200, await handler(forVisitor(api, address), fields));
    } catch (problem) {
      if (!(problem instanceof StoaError)) throw problem;
      const { code, message, param, status } = problem;
      return json(status || 503, { error: { code, message, param } });
    }
  };
};
