// Serves the store's UCP profile at `/.well-known/ucp`. Renders it once for each state of the store.
import { commonHeaders } from '#edge/answer.ts';
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import type { AssistantStore } from '#edge/assistant/assistant_store.ts';
import { etagOf, matches } from '#edge/gates/etag.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';
import { CAPABILITIES, paymentHandlers } from './document/envelope.ts';

const SITE = `https://ucp.dev/${UCP_VERSION}`;
const SERVICE = 'dev.ucp.shopping';
const MAX_AGE_S = 60;

const SPECIFIED: Readonly<
  Record<keyof typeof CAPABILITIES, readonly [spec: string, schema: string, extended?: string[]]>
> = {
  search: ['catalog/search', 'catalog_search'],
  lookup: ['catalog/lookup', 'catalog_lookup'],
  cart: ['cart', 'cart'],
  checkout: ['checkout', 'checkout'],
  fulfillment: ['fulfillment', 'fulfillment', [CAPABILITIES.checkout]],
  discount: ['discount', 'discount', [CAPABILITIES.checkout, CAPABILITIES.cart]],
  order: ['order', 'order'],
};

const capabilities = () =>
  Object.fromEntries(
    Object.entries(SPECIFIED).map(([name, [spec, schema, extended]]) => [
      CAPABILITIES[name as keyof typeof CAPABILITIES],
      [
        {
          version: UCP_VERSION,
          spec: `${SITE}/specification/${spec}`,
          schema: `${SITE}/schemas/shopping/${schema}.json`,
          ...(extended && { extends: extended.length === 1 ? extended[0] : extended }),
        },
      ],
    ]),
  );

const service = (transport: 'rest' | 'mcp', endpoint: string, schema: string) => ({
  version: UCP_VERSION,
  spec: `${SITE}/specification/overview`,
  transport,
  endpoint,
  schema: `${SITE}/services/shopping/${schema}`,
});

const profileOf = (call: AssistantCall): object => {
  const { shop, found } = call;
  const handlers = Object.entries(paymentHandlers(call)).map(([name, all]) => [
    name,
    all.map((handler) => ({
      ...handler,
      spec: `${SITE}/specification/tokenization-guide`,
      schema: `${SITE}/schemas/payment_handler.json`,
    })),
  ]);
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        [SERVICE]: [
          service('rest', `${found}/ucp`, 'rest.openapi.json'),
          ...(shop.agents.mcp ? [service('mcp', `${found}/mcp`, 'mcp.openrpc.json')] : []),
        ],
      },
      capabilities: capabilities(),
      payment_handlers: Object.fromEntries(handlers),
    },
    ...(shop.signing_keys.length > 0 && {
      signing_keys: shop.signing_keys.map(({ kid, x, y }) => ({
        kid,
        kty: 'EC',
        crv: 'P-256',
        x,
        y,
        use: 'sig',
        alg: 'ES256',
      })),
    }),
  };
};

interface RenderedProfile {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** A changed store is a new object, so profiles of earlier states are garbage-collected. */
const renderedProfiles = new WeakMap<AssistantStore, Map<string, RenderedProfile>>();
const encoder = new TextEncoder();

const renderedProfileOf = (call: AssistantCall): RenderedProfile => {
  const { shop, environment, found } = call;
  const name = `${environment} ${found}`;
  const all = renderedProfiles.get(shop) ?? new Map<string, RenderedProfile>();
  renderedProfiles.set(shop, all);
  const cached = all.get(name);
  if (cached) return cached;
  const bytes = encoder.encode(JSON.stringify(profileOf(call)));
  const rendered = { bytes, etag: etagOf(`${shop.id} ${name}`, bytes) };
  all.set(name, rendered);
  return rendered;
};

export const profileResponse = (call: AssistantCall): Response => {
  const { context } = call;
  const { bytes, etag } = renderedProfileOf(call);
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = `public, max-age=${MAX_AGE_S}`;
  headers.ETag = etag;
  if (matches(context.request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  return new Response(context.request.method === 'HEAD' ? null : bytes, { headers });
};
