// Formats a request as a curl command and as client code.
import type { Exchange } from '#proto/client/storefront.ts';

export interface SnippetContext {
  readonly url: string;
  readonly key: string;
  readonly sessionId: string;
  readonly token: string | null;
}

export interface ServerCall {
  readonly url: string;
  readonly body: string;
  /** 0 if the request was not answered. */
  readonly status: number;
  readonly durationMs: number;
}

export interface PageRequest {
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  readonly curl: (context: SnippetContext) => string;
  readonly code: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlOf = ({ method, url, body }: Exchange, { key, sessionId, token }: SnippetContext): string =>
  [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    `-H ${quoted(`X-Session-Id: ${sessionId}`)}`,
    ...(token === null ? [] : [`-H ${quoted(`X-Auth-Token: ${token}`)}`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');

const literalOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

export const codeOf = ({ name, request }: Exchange): string =>
  `await shop.${name}(${request && Object.keys(request).length > 0 ? literalOf(request) : ''});`;

export const clientSetupOf = ({ url, key, sessionId }: SnippetContext): string =>
  `import { storefront } from 'stoa-client';

const shop = storefront(${literalOf({ url, key, shopper: { sessionId } })});`;

export const requestOf = (exchange: Exchange): PageRequest => ({
  operation: exchange.operation,
  status: exchange.status,
  durationMs: exchange.durationMs,
  curl: (context) => curlOf(exchange, context),
  code: codeOf(exchange),
});

export const serverRequestOf = ({ url, body, status, durationMs }: ServerCall): PageRequest => ({
  operation: `POST ${new URL(url).pathname}`,
  status,
  durationMs,
  curl: () => [`curl ${quoted(url)}`, `-H 'Content-Type: application/json'`, `-d ${quoted(body)}`].join(' \\\n  '),
  code: `await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${literalOf(JSON.parse(body))}),
}).then((answer) => answer.json());`,
});
