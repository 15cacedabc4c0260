// Writes the access log, one line per answered request. Keys, tokens, signatures and bodies are left out.

import type { Log } from '#runtime/process/log.ts';
import { EnvironmentError } from '#runtime/process/setting.ts';
import { parseTraceparent } from '#runtime/process/trace.ts';
import { shownPath, shownQuery } from './redaction.ts';
import type { RequestContext } from './request_context.ts';

export type AccessLogging = 'off' | 'errors' | 'all';

const NAMES: readonly string[] = ['off', 'errors', 'all'] satisfies AccessLogging[];
const isName = (text: string): text is AccessLogging => NAMES.includes(text);

export const readAccessLogging = (variables: Readonly<Record<string, string | undefined>>): AccessLogging => {
  const text = variables.STOA_ACCESS_LOG || 'off';
  if (!isName(text)) throw new EnvironmentError('STOA_ACCESS_LOG must be `off`, `errors` or `all`.');
  return text;
};

const QUERY_CHARACTERS_MAX = 1_024;
const AGENT_CHARACTERS_MAX = 256;

export class AccessLog {
  readonly #log: Log;
  readonly #all: boolean;

  constructor(log: Log, logging: Exclude<AccessLogging, 'off'>) {
    // Writes through a child logger at level info, so that the process's log level cannot switch the access log off.
    this.#log = log.child({ log: 'access' }, { level: 'info' });
    this.#all = logging === 'all';
  }

  /** `endpoint` is the matched path of the route table, such as `/v1/products/:id`; null if no route matched. */
  note(context: RequestContext, endpoint: string | null, status: number, address: () => string): void {
    if (!this.#all && status < 400) return;
    const { request, requestId, startedAtMs, principal, refusal, span } = context;
    const url = URL.parse(request.url);
    const query = shownQuery(url?.search.slice(1) ?? '');
    this.#log.info(
      {
        request_id: requestId,
        method: request.method,
        path: shownPath(url?.pathname ?? ''),
        ...(query === '' ? {} : { query: query.slice(0, QUERY_CHARACTERS_MAX) }),
        endpoint,
        status,
        took_ms: Math.round((performance.now() - startedAtMs) * 100) / 100,
        ...(principal && {
          store: principal.tenant.store,
          environment: principal.tenant.environment,
          key_type: principal.keyType,
        }),
        ...(refusal && { refusal }),
        address: address(),
        user_agent: request.headers.get('user-agent')?.slice(0, AGENT_CHARACTERS_MAX) ?? null,
        ...(span && { trace_id: parseTraceparent(span.trace)?.traceId }),
      },
      'request',
    );
  }
}

export const createAccessLog = (log: Log, logging: AccessLogging): AccessLog | null =>
  logging === 'off' ? null : new AccessLog(log, logging);
