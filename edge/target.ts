// Where a request goes: its path and query, and whether it names one host and a path that can be.
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
 * A request that names two hosts, or none, could be meant for another host. One that is no host's name would take a
 * part in the URL that all else is read from: with `Host: h#` Bun says `/path` alone where it says `http://host/path`.
 * Bun refuses two lengths that differ, and joins two that are the same with a comma.
 */
export function misframedHead({ headers, url }: Request): Refusal | null {
  if (!HOST.test(headers.get('host') ?? '') || !url.startsWith('http')) return BAD_HOST;
  return headers.get('content-length')?.includes(',') ? TWO_LENGTHS : null;
}

/** What is wrong with where a request goes that no endpoint's key guards; an endpoint reads its path after its key. */
export function misaddressed(request: Request): Refusal | null {
  return misframedHead(request) ?? (targetOf(request.url).path.includes('%00') ? BAD_PATH : null);
}

/**
 * Whether a path is the route's own. Where the host is short Elysia looks for it too far to the right, and takes
 * `/x/v1/store` for `/v1/store`.
 */
export function pathCheck({ path: own }: Route): (path: string) => boolean {
  const parameter = own.indexOf(':');
  if (parameter < 0) return (path) => path === own;
  const fixed = own.slice(0, parameter);
  return (path) => path.startsWith(fixed);
}
