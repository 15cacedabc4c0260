// What the edge says of itself: its name at `/`, its health, and that of what stands behind it.
import { NO_TENANT } from '#runtime/call.ts';
import type { Wire } from '#runtime/link/frame.ts';
import type { Cache as RedisCache } from '#runtime/redis.ts';
import { commonHeaders } from './answer.ts';
import type { OwnAnswers } from './app.ts';
import { etagOf, matches } from './gates/etag.ts';
import type { Visit } from './visit.ts';

export const VERSION = '1.0.0';
const HEALTH_TIMEOUT_MS = 2_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly components: Readonly<Record<string, string>>;
}

/** `ok` when all parts are, `degraded` when reads still go on, and not serving without any host of services. */
export async function readHealth(
  wire: Wire,
  redis: RedisCache | null,
): Promise<Health & { readonly serving: boolean }> {
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

function respond(visit: Visit, status: number, value: unknown): Response {
  const body = encoder.encode(JSON.stringify(value));
  const headers = commonHeaders(visit, 'application/json');
  headers['Cache-Control'] = 'no-store';
  if (status === 503) headers['Retry-After'] = '1';
  else {
    const etag = etagOf('meta', body);
    headers.ETag = etag;
    headers['X-Cache'] = 'MISS';
    if (matches(visit.request.headers.get('if-none-match'), etag)) {
      headers['X-Cache'] = 'HIT-304';
      return new Response(null, { status: 304, headers });
    }
  }
  return new Response(visit.request.method === 'HEAD' ? null : body, { status, headers });
}

export const metaAnswers = (wire: Wire, redis: RedisCache | null): OwnAnswers => ({
  'Meta/GetApiInfo': (visit) => {
    const documentation = new URL('/docs', visit.request.url);
    return respond(visit, 200, { name: 'Stoa', version: VERSION, documentation_url: documentation.href });
  },
  'Meta/GetHealth': async (visit) => {
    const { serving, ...health } = await readHealth(wire, redis);
    return respond(visit, serving ? 200 : 503, health);
  },
});
