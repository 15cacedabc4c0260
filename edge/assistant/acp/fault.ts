// Formats ACP errors: one flat object with the field as JSONPath.
import { commonHeaders } from '#edge/answer.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import { statusOf } from '#edge/gates/refusal.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Refusal, refuse, renamed } from '#runtime/call/call.ts';

export const VERSION = '2026-04-17';

interface Fault {
  readonly status: number;
  readonly code: string;
}

const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^items\[(\d+)\]\.variant_id$/, 'line_items[$1].id'],
  [/^items\b/, 'line_items'],
  [/^email$/, 'buyer.email'],
  [/^buyer\.phone$/, 'buyer.phone_number'],
  [/^shipping_address\.phone$/, 'fulfillment_details.phone_number'],
  [/^(shipping|billing)_address\.(?:first_name|last_name)$/, '$1_address.name'],
  [/^(shipping|billing)_address\.line1$/, '$1_address.line_one'],
  [/^(shipping|billing)_address\.line2$/, '$1_address.line_two'],
  [/^shipping_address\b/, 'fulfillment_details.address'],
  [/^billing_address\b/, 'payment_data.billing_address'],
  [/^shipping_option_id$/, 'selected_fulfillment_options[0].option_id'],
  [/^promotion_codes\b/, 'discounts.codes'],
  [/^note$/, 'order_notes'],
  [/^token$/, 'payment_data.instrument.credential.token'],
];

export const pathOf = (param: string): string =>
  jsonPath(FIELDS.reduce((path, [pattern, name]) => path.replace(pattern, name), param));

export type Naming = (param: string) => string;

const UNKNOWN_ITEM = /^items\[\d+\]\.variant_id$/;

const faultOf = (refusal: Refusal): Fault => {
  const { code, extra } = refusal;
  const status = statusOf(refusal);
  if (UNKNOWN_ITEM.test(extra.param ?? '') && status < 409) return { status: 400, code: 'invalid_item_id' };
  if (code === 'insufficient_stock') return { status: 409, code: 'out_of_stock' };
  if (code === 'payment_declined') return { status: 402, code };
  if (code === 'idempotency_conflict') return { status: 422, code };
  if (code === 'conflict' && extra.retryAfterS !== undefined) return { status: 409, code: 'idempotency_in_flight' };
  return { status, code };
};

const typeOf = (status: number): string => {
  if (status === 503) return 'service_unavailable';
  return status >= 500 || status === 402 ? 'processing_error' : 'invalid_request';
};

export const headersOf = (context: RequestContext): Record<string, string> => {
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  headers['API-Version'] = VERSION;
  const { headers: sent } = context.request;
  const [key, request] = [sent.get('idempotency-key'), sent.get('request-id')];
  if (key !== null) headers['Idempotency-Key'] = key;
  if (request !== null) headers['Request-Id'] = request;
  return headers;
};

const build = (context: RequestContext, refusal: Refusal, { status, code }: Fault, more: object = {}): Response => {
  context.refusal = refusal.code;
  const headers = headersOf(context);
  const { message, extra } = refusal;
  const { param, retryAfterS } = extra;
  if (retryAfterS !== undefined) headers['Retry-After'] = `${retryAfterS}`;
  const field = param === undefined ? {} : { param };
  const body = JSON.stringify({ type: typeOf(status), code, message, ...field, ...more });
  context.refusalBody = body;
  return new Response(body, { status, headers });
};

/** `naming` maps fields of the core to fields of the request. */
export const errorResponse = (context: RequestContext, refusal: Refusal, naming: Naming = pathOf): Response =>
  build(context, renamed(refusal, naming), faultOf(refusal));

export const errorResponseAs = (
  context: RequestContext,
  status: number,
  code: string,
  message: string,
  more: object = {},
): Response => build(context, refuse('invalid_request', message), { status, code }, more);
