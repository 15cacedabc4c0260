// Parses the target of a request and checks its path and its Host and Content-Length headers.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { UrlParts } from './endpoint.ts';

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const BAD_HOST = refuse('invalid_request', 'The request must name exactly one host.', { param: 'Host' });
const TWO_LENGTHS = refuse('invalid_request', 'The request must give the length of its body once.', {
  param: 'Content-Length',
});
const BAD_PATH = refuse('invalid_request', 'The path must not hold NUL.');

export function targetOf(url: string): UrlParts {
  const start = url.indexOf('/', 8);
  const query = url.indexOf('?', start);
  if (query < 0) return { path: url.slice(start), search: '' };
  return { path: url.slice(start, query), search: url.slice(query + 1) };
}

/**
 * Refuses a request that does not have exactly one valid Host header, or that has two Content-Length headers. Bun
 * builds `url` from the host: after `Host: h#` it is `/path` instead of `http://host/path`. Bun itself refuses two
 * different lengths and joins two equal ones with a comma.
 */
export function checkHead({ headers, url }: Request): Refusal | null {
  if (!HOST.test(headers.get('host') ?? '') || !url.startsWith('http')) return BAD_HOST;
  return headers.get('content-length')?.includes(',') ? TWO_LENGTHS : null;
}

export function checkTarget(request: Request): Refusal | null {
  return checkHead(request) ?? (targetOf(request.url).path.includes('%00') ? BAD_PATH : null);
}

/**
 * Returns a function that checks a path against the route, because Elysia matches too much. With a Host of few
 * characters the router skips the start of the path and matches `/x/v1/store` as `/v1/store`.
 */
export function pathMatcher({ path: own }: Route): (path: string) => boolean {
  const parameter = own.indexOf(':');
  if (parameter < 0) return (path) => path === own;
  const fixed = own.slice(0, parameter);
  return (path) => path.startsWith(fixed);
}
