// What the edge says of itself: its name at `/`, its health, and that of what stands behind it.
import { Refusal } from '#runtime/call/call.ts';
import type { Wire } from '#runtime/link/frame.ts';
import { VERSION } from '#runtime/process/version.ts';
import type { Cache as RedisCache } from '#runtime/redis/redis.ts';
import { commonHeaders } from './answer.ts';
import { etagOf, matches } from './gates/etag.ts';
import { HOUSE, type Origin, ownCall } from './own_call.ts';
import type { Visit } from './visit.ts';

const HEALTH_TIMEOUT_MS = 2_000;

const encoder = new TextEncoder();

/** Answered by the edge itself: nothing of a store stands behind them. */
export type OwnAnswers = Readonly<Record<string, (visit: Visit) => Response | Promise<Response>>>;

interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly components: Readonly<Record<string, string>>;
}

export interface MetaParts {
  readonly wire: Wire;
  readonly redis: RedisCache | null;
  /** The address under which callers reach this edge. */
  readonly publicUrl: () => string;
  /** Whether this edge is about to end: balancers turn away from it while it still serves. */
  readonly draining: () => boolean;
}

/** `ok` when all parts are, `degraded` when one is not, and not serving without any host of services. */
async function readHealth(
  { wire, redis, draining }: MetaParts,
  origin: Origin,
): Promise<Health & { readonly serving: boolean }> {
  const told = await ownCall(wire, 'Host/GetHealth', {}, { caller: HOUSE, timeoutMs: HEALTH_TIMEOUT_MS, origin });
  const serving = !(told instanceof Refusal);
  const components: Record<string, string> = {
    edge: draining() ? 'draining' : 'ok',
    services: serving ? 'ok' : 'down',
  };
  if (serving) Object.assign(components, told.components);
  if (redis) components.redis = redis.available ? 'ok' : 'down';
  const well = Object.values(components).every((state) => state === 'ok');
  return { status: well ? 'ok' : 'degraded', version: VERSION, components, serving: serving && !draining() };
}

/** Bytes of the edge's own, with their tag: the same for everybody who asks. */
export function ownResponse(
  visit: Visit,
  body: Uint8Array,
  cacheControl: string,
  status = 200,
  contentType = 'application/json',
): Response {
  const { method, headers: asked } = visit.request;
  const headers = commonHeaders(visit, contentType);
  headers['Cache-Control'] = cacheControl;
  if (status !== 200) headers['Retry-After'] = '1';
  else {
    headers.ETag = etagOf('own', body);
    if (matches(asked.get('if-none-match'), headers.ETag)) {
      headers['X-Cache'] = 'HIT-304';
      return new Response(null, { status: 304, headers });
    }
    headers['X-Cache'] = 'MISS';
  }
  if (method === 'HEAD') headers['Content-Length'] = `${body.length}`;
  return new Response(method === 'HEAD' ? null : body, { status, headers });
}

const respond = (visit: Visit, value: unknown, status = 200): Response =>
  ownResponse(visit, encoder.encode(JSON.stringify(value)), 'no-store', status);

export const metaAnswers = (parts: MetaParts): OwnAnswers => ({
  'Meta/GetApiInfo': (visit) =>
    respond(visit, { name: 'Stoa', version: VERSION, documentation_url: `${parts.publicUrl()}/docs` }),
  'Meta/GetHealth': async (visit) => {
    const { serving, ...health } = await readHealth(parts, visit);
    return respond(visit, health, serving ? 200 : 503);
  },
});
