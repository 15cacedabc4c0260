// Serves `/.well-known/acp.json`, which declares ACP's version and address. Needs no key.
import { commonHeaders } from '#edge/answer.ts';
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { etagOf, matches } from '#edge/gates/etag.ts';
import { VERSION } from './fault.ts';

const MAX_AGE_S = 3_600;
const encoder = new TextEncoder();

const documentOf = ({ shop, found }: AssistantCall): object => ({
  protocol: { name: 'acp', version: VERSION, supported_versions: [VERSION] },
  api_base_url: `${found}/acp`,
  transports: ['rest'],
  capabilities: {
    services: ['checkout', 'orders', 'delegate_payment'],
    extensions: [{ name: 'discount' }],
    intervention_types: [],
    supported_currencies: [shop.currency, ...shop.currencies].map((code) => code.toLowerCase()),
  },
});

export const discoveryResponse = (call: AssistantCall): Response => {
  const { context } = call;
  const bytes = encoder.encode(JSON.stringify(documentOf(call)));
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = `public, max-age=${MAX_AGE_S}`;
  headers.ETag = etagOf(call.shop.id, bytes);
  if (matches(context.request.headers.get('if-none-match'), headers.ETag))
    return new Response(null, { status: 304, headers });
  return new Response(context.request.method === 'HEAD' ? null : bytes, { headers });
};
