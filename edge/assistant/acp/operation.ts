// Implements ACP's endpoints: parse the request, call the core, return the session.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { agentNameOf, type RetryKey } from '#edge/assistant/core.ts';
import { isRead, setTag } from '#edge/assistant/entity_tag.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { Refusal, type Refusal as Refused, refuse } from '#runtime/call/call.ts';
import { delegatePayment, InvalidCard } from './delegation.ts';
import { errorResponse, errorResponseAs, headersOf } from './fault.ts';
import type { Fields } from './field.ts';
import { changeOf, namesItems, namingOf, paymentOf, unknownItem } from './request.ts';
import { sessionDocument } from './session.ts';

export interface AcpRequest {
  readonly key: string;
  /** Canonical JSON of the body, so that equal content gives equal text. */
  readonly body: string;
  readonly fields: Fields | null;
}

const EMPTY = refuse('invalid_request', 'The body must be a JSON object.');
const NO_ITEMS = refuse('invalid_request', '`$.line_items` is empty; send at least one line item.', {
  param: '$.line_items',
});
const NO_QUOTES = refuse('invalid_request', '`quote_id` is not supported; send `line_items` instead.', {
  param: '$.quote_id',
});

const retryOf = ({ key, body }: AcpRequest): RetryKey => ({ key, body });

const agentOf = ({ context }: AssistantCall) => agentNameOf(context.request.headers.get('user-agent'), 'acp');

const respond = (call: AssistantCall, document: object, status: 200 | 201, replayed = false): Response => {
  const headers = headersOf(call.context);
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  const text = JSON.stringify(document);
  if (isRead(call) && setTag(call, text, headers)) return new Response(null, { status: 304, headers });
  return new Response(call.context.request.method === 'HEAD' ? null : text, { status, headers });
};

const currencyIn = (fields: Fields): string | null => fields.text('currency')?.toUpperCase() || null;

const currencyChangeRefusal = ({ currency }: CheckoutIntent, fields: Fields): Refused | null => {
  const sent = currencyIn(fields);
  return sent === null || sent === currency
    ? null
    : refuse('invalid_request', `The session is in ${currency.toLowerCase()}. Create a new one to change it.`, {
        param: '$.currency',
      });
};

export const create = async (call: AssistantCall, _id: string, sent: AcpRequest): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return errorResponse(context, EMPTY);
  const { items, buyer = null, ...fields } = changeOf(sent.fields);
  const currency = currencyIn(sent.fields);
  const fault = sent.fields.wrong ?? unknownItem(sent.fields, []) ?? (sent.fields.text('quote_id') ? NO_QUOTES : null);
  if (fault) return errorResponse(context, fault);
  if (!items || items.length === 0) return errorResponse(context, NO_ITEMS);
  const checkout = { ...fields, items, buyer, ...(currency !== null && { currency }) };
  const created = await core.beginCheckout(agentOf(call), checkout, retryOf(sent));
  if (created instanceof Refusal) return errorResponse(context, created, namingOf(sent.fields));
  return respond(call, sessionDocument(call, created.value), 201, created.replayed);
};

export const read = async (call: AssistantCall, id: string): Promise<Response> => {
  const session = await call.core.checkout(id);
  return session instanceof Refusal
    ? errorResponse(call.context, session)
    : respond(call, sessionDocument(call, session), 200);
};

export const update = async (call: AssistantCall, id: string, sent: AcpRequest): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return errorResponse(context, EMPTY);
  const change = changeOf(sent.fields);
  const names = namesItems(sent.fields) || currencyIn(sent.fields) !== null;
  if (sent.fields.wrong) return errorResponse(context, sent.fields.wrong);
  const session = names ? await core.checkout(id) : null;
  if (session instanceof Refusal) return errorResponse(context, session);
  const unknown = session && (currencyChangeRefusal(session, sent.fields) ?? unknownItem(sent.fields, session.lines));
  const changed = await core.changeCheckout(id, change, retryOf(sent), unknown);
  if (unknown && changed === unknown) return errorResponse(context, unknown);
  if (changed instanceof Refusal) return errorResponse(context, changed, namingOf(sent.fields));
  return respond(call, sessionDocument(call, changed.value), 200, changed.replayed);
};

export const complete = async (call: AssistantCall, id: string, sent: AcpRequest): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return errorResponse(context, EMPTY);
  const completion = paymentOf(sent.fields);
  if (sent.fields.wrong) return errorResponse(context, sent.fields.wrong);
  const completed = await core.completeCheckout(id, agentOf(call), completion, retryOf(sent));
  if (completed instanceof Refusal) return errorResponse(context, completed, namingOf(sent.fields));
  return respond(
    call,
    sessionDocument(call, completed.checkout, completed.order.order_number),
    200,
    completed.replayed,
  );
};

export const cancel = async (call: AssistantCall, id: string, sent: AcpRequest): Promise<Response> => {
  const { context, core } = call;
  const cancelled = await core.cancelCheckout(id, retryOf(sent));
  if (!(cancelled instanceof Refusal))
    return respond(call, sessionDocument(call, cancelled.value), 200, cancelled.replayed);
  // A conflict that a retry cannot resolve means that the session is closed; ACP then requires status 405.
  return cancelled.code === 'conflict' && cancelled.extra.retryAfterS === undefined
    ? errorResponseAs(context, 405, 'method_not_allowed', cancelled.message)
    : errorResponse(context, cancelled);
};

export const delegate = async (call: AssistantCall, _id: string, sent: AcpRequest): Promise<Response> => {
  const { context } = call;
  if (!sent.fields) return errorResponse(context, EMPTY);
  const token = await delegatePayment(call, sent.fields, retryOf(sent));
  if (token instanceof InvalidCard)
    return errorResponseAs(context, 400, 'invalid_card', token.message, { param: token.param });
  if (token instanceof Refusal) return errorResponse(context, token);
  const { replayed, ...document } = token;
  return respond(call, document, 201, replayed);
};
