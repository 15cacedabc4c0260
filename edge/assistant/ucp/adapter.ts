// Serves UCP over REST: each path runs one operation, with the body as its argument.
import { commonHeaders } from '#edge/answer.ts';
import type { Adapter, AssistantCall } from '#edge/assistant/adapter.ts';
import { isRead, setTag } from '#edge/assistant/entity_tag.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import { readBody } from '#edge/gates/body.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { contentDigest } from '#runtime/outbound/message_signature.ts';
import { parseStrict } from '#values/json.ts';
import { continueUrlOf, incompatible, limitedTo } from './capability.ts';
import { IDS_MAX } from './input/schema.ts';
import { negotiate } from './negotiation.ts';
import { CART_OPERATIONS } from './operation/cart.ts';
import { CATALOGUE_OPERATIONS } from './operation/catalogue.ts';
import { CHECKOUT_OPERATIONS } from './operation/checkout.ts';
import type { Operation, OperationResult } from './operation/operation.ts';
import { profileResponse } from './profile.ts';
import { faultResponse, refusalResponse, unsignedResponse } from './refusal.ts';
import { isSigned, signatureFault } from './signature.ts';

const SIGNED: ReadonlySet<string> = new Set(['complete_checkout', 'get_order']);

/**
 * Adds signature headers. If signing fails, the response is sent unsigned, because the operation has already taken
 * effect.
 */
export const signAnswer = async (
  { core }: AssistantCall,
  operation: string,
  answer: { readonly status: number; readonly text: string; readonly headers: Record<string, string> },
): Promise<void> => {
  if (!SIGNED.has(operation)) return;
  const { status, text, headers } = answer;
  const content_digest = contentDigest(text);
  const signed = await core.signAnswer({ status, content_digest, content_type: 'application/json' });
  if (signed instanceof Refusal) return;
  headers['Content-Digest'] = content_digest;
  headers['Signature-Input'] = signed.signature_input;
  headers.Signature = signed.signature;
};

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [...CATALOGUE_OPERATIONS, ...CART_OPERATIONS, ...CHECKOUT_OPERATIONS].map((operation) => [
    operation.definition.name,
    operation,
  ]),
);

interface Endpoint {
  readonly verb: 'GET' | 'POST' | 'PUT';
  readonly path: RegExp;
  readonly operation: string;
  readonly body: 'catalog' | 'cart' | 'checkout' | null;
  readonly creates?: true;
}

const endpoint = (verb: Endpoint['verb'], path: string, operation: string, body: Endpoint['body']): Endpoint => ({
  verb,
  path: new RegExp(`^${path.replace('{id}', '(?<id>[^/]{1,300})')}$`),
  operation,
  body,
  ...(operation.startsWith('create_') && { creates: true }),
});

const ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/catalog/search', 'search_catalog', 'catalog'),
  endpoint('POST', '/catalog/lookup', 'lookup_catalog', 'catalog'),
  endpoint('POST', '/catalog/product', 'get_product', 'catalog'),
  endpoint('POST', '/carts', 'create_cart', 'cart'),
  endpoint('GET', '/carts/{id}', 'get_cart', null),
  endpoint('PUT', '/carts/{id}', 'update_cart', 'cart'),
  endpoint('POST', '/carts/{id}/cancel', 'cancel_cart', null),
  endpoint('POST', '/checkout-sessions', 'create_checkout', 'checkout'),
  endpoint('GET', '/checkout-sessions/{id}', 'get_checkout', null),
  endpoint('PUT', '/checkout-sessions/{id}', 'update_checkout', 'checkout'),
  endpoint('POST', '/checkout-sessions/{id}/complete', 'complete_checkout', 'checkout'),
  endpoint('POST', '/checkout-sessions/{id}/cancel', 'cancel_checkout', null),
  endpoint('GET', '/orders/{id}', 'get_order', null),
];

const BODY = { bytes_max: 1024 * 1024, raw: [] };
const KEY = /^[\x21-\x7e]{1,255}$/;
const BAD_KEY = refuse('invalid_request', 'Idempotency-Key is 1 to 255 printable characters without spaces.');
const NOT_ALLOWED = refuse('method_not_allowed', 'This address does not take this method.');
const NOT_AN_OBJECT = refuse('invalid_request', 'The body is a JSON object.');

const readArgument = async (call: AssistantCall): Promise<object | Refusal> => {
  const body = await readBody(call.context.request, BODY);
  if (body instanceof Refusal) return body;
  call.context.requestBody = body.bytes;
  if (body.bytes === null || body.bytes.length === 0) return {};
  const read = parseStrict(body.bytes);
  if (!read.ok) return refuse('invalid_request', read.message, read.param ? { param: jsonPath(read.param) } : {});
  return typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
    ? read.value
    : NOT_AN_OBJECT;
};

const TOO_LARGE = { called: 'request_too_large' };

const isTooLarge = ({ operation }: Endpoint, body: object): boolean =>
  operation === 'lookup_catalog' && 'ids' in body && Array.isArray(body.ids) && body.ids.length > IDS_MAX;

/** `signed` is the name of the operation, or null for documents that are never signed. */
const documentResponse = async (
  call: AssistantCall,
  document: object,
  status: 200 | 201,
  signed: string | null = null,
): Promise<Response> => {
  const { context } = call;
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  const text = JSON.stringify(document);
  if (isRead(call) && setTag(call, text, headers)) return new Response(null, { status: 304, headers });
  if (signed !== null) await signAnswer(call, signed, { status, text, headers });
  return new Response(context.request.method === 'HEAD' ? null : text, { status, headers });
};

const run = async (call: AssistantCall, at: Endpoint, id: string | undefined): Promise<Response> => {
  const { context } = call;
  const { headers } = context.request;
  const key = headers.get('idempotency-key');
  if (key !== null && !KEY.test(key)) return refusalResponse(context, BAD_KEY);
  const negotiated = await negotiate(call, headers.get('ucp-agent'));
  if (negotiated instanceof Refusal) return refusalResponse(context, negotiated);
  if ('status' in negotiated) return faultResponse(context, negotiated, continueUrlOf(call));
  const incompatibility = incompatible(call, at.operation, negotiated.capabilities);
  if (incompatibility) return documentResponse(call, incompatibility, 200);
  const body = at.verb === 'GET' ? {} : await readArgument(call);
  if (body instanceof Refusal) return refusalResponse(context, body);
  const unsigned = signatureFault(call, negotiated.keys, at.verb !== 'GET' && at.body !== 'catalog');
  if (unsigned) return unsignedResponse(context, unsigned);
  const args = {
    ...(key !== null && { meta: { 'idempotency-key': key } }),
    ...(id !== undefined && { id }),
    ...(at.body !== null && { [at.body]: body }),
  };
  const { agent, orderUrl, profile } = negotiated;
  const caller = { ...call, orderUrl, profile, signed: isSigned(call) };
  const given: OperationResult | Refusal = await OPERATIONS.get(at.operation)!.run(caller, args, () => agent);
  if (given instanceof Refusal) return refusalResponse(context, given, isTooLarge(at, body) ? TOO_LARGE : {});
  return documentResponse(
    call,
    limitedTo(given.document, negotiated.capabilities),
    at.creates && !given.refused ? 201 : 200,
    given.refused ? null : at.operation,
  );
};

const WELL_KNOWN = '/.well-known/ucp';
const READS = ['GET', 'HEAD'];

const serve = (call: AssistantCall): Response | null | Promise<Response | null> => {
  const { context, path } = call;
  const { method } = context.request;
  if (path === WELL_KNOWN)
    return READS.includes(method) ? profileResponse(call) : refusalResponse(context, NOT_ALLOWED, { allowed: READS });
  const matching = ENDPOINTS.flatMap((at) => {
    const match = at.path.exec(path);
    return match ? [{ at, id: match.groups?.id }] : [];
  });
  if (matching.length === 0) return null;
  const chosen = matching.find(({ at }) => at.verb === (method === 'HEAD' ? 'GET' : method));
  if (!chosen) return refusalResponse(context, NOT_ALLOWED, { allowed: matching.map(({ at }) => at.verb) });
  return run(call, chosen.at, chosen.id);
};

export const ucpAdapter: Adapter = {
  protocol: 'ucp',
  keyless: () => true,
  serve,
  refuse: (context, refusal) => refusalResponse(context, refusal),
};
