// What the edge says of itself: its name at `/`, its health, and that of what stands behind it.
import { NO_TENANT } from '#runtime/call.ts';
import type { Wire } from '#runtime/link/frame.ts';
import type { Cache as RedisCache } from '#runtime/redis.ts';
import { commonHeaders } from './answer.ts';
import { etagOf, matches } from './gates/etag.ts';
import type { Visit } from './visit.ts';

export const VERSION = '1.0.0';
const HEALTH_TIMEOUT_MS = 2_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Answered by the edge itself: nothing of a store stands behind them. */
export type OwnAnswers = Readonly<Record<string, (visit: Visit) => Response | Promise<Response>>>;

interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly components: Readonly<Record<string, string>>;
}

/** `ok` when all parts are, `degraded` when reads still go on, and not serving without any host of services. */
async function readHealth(wire: Wire, redis: RedisCache | null): Promise<Health & { readonly serving: boolean }> {
  const answer = await wire.ask(
    {
      rpc: 'Host/GetHealth',
      caller: { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null },
      timeoutMs: HEALTH_TIMEOUT_MS,
      requestId: '',
      trace: '',
      input: '{}',
      rawBody: null,
      contentType: '',
      idempotency: null,
      revisionMin: 0,
    },
    false,
  );
  const components: Record<string, string> = { edge: 'ok', services: answer.refused ? 'down' : 'ok' };
  if (!answer.refused)
    Object.assign(
      components,
      (JSON.parse(decoder.decode(answer.body)) as { components: Record<string, string> }).components,
    );
  if (redis) components.redis = redis.available ? 'ok' : 'down';
  const well = Object.values(components).every((state) => state === 'ok');
  return { status: well ? 'ok' : 'degraded', version: VERSION, components, serving: !answer.refused };
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

export const metaAnswers = (wire: Wire, redis: RedisCache | null): OwnAnswers => ({
  'Meta/GetApiInfo': (visit) => {
    const { url } = visit.request;
    const documentation = `${url.slice(0, url.indexOf('/', 'https://'.length))}/docs`;
    return respond(visit, { name: 'Stoa', version: VERSION, documentation_url: documentation });
  },
  'Meta/GetHealth': async (visit) => {
    const { serving, ...health } = await readHealth(wire, redis);
    return respond(visit, health, serving ? 200 : 503);
  },
});
