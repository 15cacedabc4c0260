// Answers the edge's own endpoints: its name, and the health of the edge and the services.
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { VERSION } from '#runtime/process/version.ts';
import type { SharedStore as RedisCache } from '#runtime/redis/redis.ts';
import { commonHeaders } from './answer.ts';
import { etagOf, matches } from './gates/etag.ts';
import { EDGE_CALLER, type EdgeOrigin, ownCall } from './own_call.ts';
import type { RequestContext } from './request_context.ts';

const HEALTH_TIMEOUT_MS = 2_000;

const encoder = new TextEncoder();

export type OwnAnswers = Readonly<Record<string, (context: RequestContext) => Response | Promise<Response>>>;

interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly components: Readonly<Record<string, string>>;
}

export interface MetaParts {
  readonly wire: LinkClient;
  readonly redis: RedisCache | null;
  readonly publicUrl: () => string;
  /** Returns whether the edge is draining: it still serves requests, but load balancers should stop sending them. */
  readonly draining: () => boolean;
}

/** Returns `ok` if every component is healthy, else `degraded`; `serving` needs at least one services host. */
async function readHealth(
  { wire, redis, draining }: MetaParts,
  origin: EdgeOrigin,
): Promise<Health & { readonly serving: boolean }> {
  const answer = await ownCall(
    wire,
    'Host/GetHealth',
    {},
    { caller: EDGE_CALLER, timeoutMs: HEALTH_TIMEOUT_MS, origin },
  );
  const serving = !(answer instanceof Refusal);
  const components: Record<string, string> = {
    edge: draining() ? 'draining' : 'ok',
    services: serving ? 'ok' : 'down',
  };
  if (serving) Object.assign(components, answer.components);
  if (redis) components.redis = redis.available ? 'ok' : 'down';
  const healthy = Object.values(components).every((state) => state === 'ok');
  return { status: healthy ? 'ok' : 'degraded', version: VERSION, components, serving: serving && !draining() };
}

export function ownResponse(
  context: RequestContext,
  body: Uint8Array,
  status = 200,
  contentType = 'application/json',
): Response {
  const { method, headers: requestHeaders } = context.request;
  const headers = commonHeaders(context, contentType);
  headers['Cache-Control'] = 'no-store';
  if (status !== 200) headers['Retry-After'] = '1';
  else {
    headers.ETag = etagOf('own', body);
    if (matches(requestHeaders.get('if-none-match'), headers.ETag)) {
      headers['X-Cache'] = 'HIT-304';
      return new Response(null, { status: 304, headers });
    }
    headers['X-Cache'] = 'MISS';
  }
  if (method === 'HEAD') headers['Content-Length'] = `${body.length}`;
  return new Response(method === 'HEAD' ? null : body, { status, headers });
}

const respond = (context: RequestContext, value: unknown, status = 200): Response =>
  ownResponse(context, encoder.encode(JSON.stringify(value)), status);

export const metaAnswers = (parts: MetaParts): OwnAnswers => ({
  'Meta/GetApiInfo': (context) =>
    respond(context, { name: 'Stoa', version: VERSION, documentation_url: `${parts.publicUrl()}/docs` }),
  'Meta/GetHealth': async (context) => {
    const { serving, ...health } = await readHealth(parts, context);
    return respond(context, health, serving ? 200 : 503);
  },
});
