// HTTP client of the built-in providers: JSON only, bounded in time and bytes, no redirects, logs nothing. Each call
// opens a connection, since an idle one may close during a request and leave its outcome unknown.

import { readBounded } from '#runtime/outbound/response_body.ts';
import { parseExact } from '#values/numeral.ts';
import { externalText } from '#values/text.ts';
import { ProviderFault, ProviderNotReached } from './provider.ts';

export interface ProviderCall {
  readonly provider: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly timeoutMs: number;
}

export interface ProviderAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each adapter knows the shapes of its provider
  readonly json: any;
}

export const ANSWER_BYTES_MAX = 1 << 20;
/** Codes of errors that occur before any byte was sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Throws `ProviderFault` if there is no readable answer, `ProviderNotReached` if nothing was sent. */
export const callProvider = async (call: ProviderCall): Promise<ProviderAnswer> => {
  const { provider, body } = call;
  const json = typeof body === 'object';
  let status = 0;
  let text = '';
  try {
    const response = await fetch(call.url, {
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { accept: 'application/json', ...(json ? { 'content-type': 'application/json' } : {}), ...call.headers },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
      redirect: 'manual',
      keepalive: false,
      signal: AbortSignal.timeout(Math.max(1, call.timeoutMs)),
    });
    status = response.status;
    const answered = await readBounded(response, ANSWER_BYTES_MAX);
    if (answered === null) throw new Error('too long an answer');
    text = new TextDecoder().decode(answered);
  } catch (problem) {
    const { name, code = '' } = problem as NodeJS.ErrnoException;
    const trouble = new ProviderFault(provider, name === 'TimeoutError' ? 'no answer in time' : 'unreachable');
    throw NOT_CONNECTED.has(code) ? new ProviderNotReached(trouble) : trouble;
  }
  if (status >= 500 || status === 429) {
    // Parses answers with an error status, too: some providers report a payment in progress that way.
    const parsed = parse(text);
    if (parsed === undefined) throw new ProviderFault(provider, `status ${status}`);
    return { status, json: parsed };
  }
  const parsed = text === '' ? {} : parse(text);
  if (parsed === undefined) throw new ProviderFault(provider, `status ${status} and no JSON`);
  return { status, json: parsed };
};

const parse = (text: string): unknown => {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

export const textOf = (value: unknown): string => externalText(value, 300);

const ADDRESS_LENGTH_MAX = 2_048;

export const webAddressOf = (value: unknown): string | null => {
  const url = typeof value === 'string' && value.length <= ADDRESS_LENGTH_MAX ? URL.parse(value) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
};
