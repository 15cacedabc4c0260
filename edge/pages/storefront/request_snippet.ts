// A request as a developer would say it: as a curl command for a terminal, and as the client's call.
import type { Exchange } from '#proto/client/storefront.ts';

/** Whose request it was. */
export interface SnippetContext {
  readonly url: string;
  readonly key: string;
  readonly sessionId: string;
  /** Of who is signed in; null where the shopper is a guest. */
  readonly token: string | null;
}

/** What the shop's own server was asked once, and how that ended. */
export interface ServerCall {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly durationMs: number;
}

/** What the page asked, as the drawer shows it. */
export interface PageRequest {
  readonly operation: string;
  /** 0 where no answer came. */
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

/** As code is written: names of members without quotation marks where they need none. */
const literalOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

export const codeOf = ({ name, request }: Exchange): string =>
  `await shop.${name}(${request && Object.keys(request).length > 0 ? literalOf(request) : ''});`;

/** What stands above all calls. */
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

/** What the shop's own server was asked needs no key: the server has it. */
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
