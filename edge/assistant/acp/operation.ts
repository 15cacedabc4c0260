// What ACP's endpoints do: each reads its request, asks the core once, and shows the session as it stands then.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { agentNamed, type RetryKey } from '#edge/assistant/core.ts';
import { isHeld, isRead } from '#edge/assistant/tagged.ts';
import { Refusal, type Refusal as Refused, refuse } from '#runtime/call/call.ts';
import { delegatePayment, InvalidCard } from './delegation.ts';
import { faulty, faultyAs, headersOf } from './fault.ts';
import type { Fields } from './field.ts';
import { namesItems, namingOf, paymentOf, unknownItem, wishesOf } from './request.ts';
import { sessionDocument } from './session.ts';

/** A request's body, and the key that its retries bear. */
export interface Sent {
  readonly key: string;
  /** However it is written: bodies that say the same are the same. */
  readonly body: string;
  /** Null: it has no body. */
  readonly fields: Fields | null;
}

const EMPTY = refuse('invalid_request', 'The body must be a JSON object.');
const NO_ITEMS = refuse('invalid_request', '$.line_items is needed.', { param: '$.line_items' });
const NO_QUOTES = refuse('invalid_request', 'Sessions are made of line items: leave quote_id out.', {
  param: '$.quote_id',
});

const retryOf = ({ key, body }: Sent): RetryKey => ({ key, body });

const agentOf = ({ context }: AssistantCall) => agentNamed(context.request.headers.get('user-agent'), 'acp');

const shown = (call: AssistantCall, document: object, status: 200 | 201, replayed = false): Response => {
  const headers = headersOf(call.context);
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  const text = JSON.stringify(document);
  if (isRead(call) && isHeld(call, text, headers)) return new Response(null, { status: 304, headers });
  return new Response(call.context.request.method === 'HEAD' ? null : text, { status, headers });
};

/** A currency that is not the store's, or a field of the wrong kind. */
const faultIn = ({ shop }: AssistantCall, fields: Fields): Refused | null => {
  const currency = fields.text('currency');
  if (fields.wrong) return fields.wrong;
  return currency && currency.toUpperCase() !== shop.currency
    ? refuse('invalid_request', `The store sells in ${shop.currency.toLowerCase()}.`, { param: '$.currency' })
    : null;
};

export const create = async (call: AssistantCall, _id: string, sent: Sent): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return faulty(context, EMPTY);
  const { items, buyer = null, ...wishes } = wishesOf(sent.fields);
  const fault =
    faultIn(call, sent.fields) ?? unknownItem(sent.fields, []) ?? (sent.fields.text('quote_id') ? NO_QUOTES : null);
  if (fault) return faulty(context, fault);
  if (!items || items.length === 0) return faulty(context, NO_ITEMS);
  const begun = await core.beginCheckout(agentOf(call), { ...wishes, items, buyer }, retryOf(sent));
  if (begun instanceof Refusal) return faulty(context, begun, namingOf(sent.fields));
  return shown(call, sessionDocument(call, begun.value), 201, begun.replayed);
};

export const read = async (call: AssistantCall, id: string): Promise<Response> => {
  const session = await call.core.checkout(id);
  return session instanceof Refusal ? faulty(call.context, session) : shown(call, sessionDocument(call, session), 200);
};

export const update = async (call: AssistantCall, id: string, sent: Sent): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return faulty(context, EMPTY);
  const change = wishesOf(sent.fields);
  const fault = faultIn(call, sent.fields);
  if (fault) return faulty(context, fault);
  const stands = namesItems(sent.fields) ? await core.checkout(id) : null;
  if (stands instanceof Refusal) return faulty(context, stands);
  const unknown = stands && unknownItem(sent.fields, stands.lines);
  if (unknown) return faulty(context, unknown);
  const changed = await core.changeCheckout(id, change, retryOf(sent));
  if (changed instanceof Refusal) return faulty(context, changed, namingOf(sent.fields));
  return shown(call, sessionDocument(call, changed.value), 200, changed.replayed);
};

export const complete = async (call: AssistantCall, id: string, sent: Sent): Promise<Response> => {
  const { context, core } = call;
  if (!sent.fields) return faulty(context, EMPTY);
  const completion = paymentOf(sent.fields);
  if (sent.fields.wrong) return faulty(context, sent.fields.wrong);
  const done = await core.completeCheckout(id, agentOf(call), completion, retryOf(sent));
  if (done instanceof Refusal) return faulty(context, done, namingOf(sent.fields));
  return shown(call, sessionDocument(call, done.checkout, done.order.order_number), 200, done.replayed);
};

export const cancel = async (call: AssistantCall, id: string, sent: Sent): Promise<Response> => {
  const { context, core } = call;
  const over = await core.cancelCheckout(id, retryOf(sent));
  if (!(over instanceof Refusal)) return shown(call, sessionDocument(call, over.value), 200, over.replayed);
  // A session that is over takes this method no more.
  return over.code === 'conflict' && over.extra.retryAfterS === undefined
    ? faultyAs(context, 405, 'method_not_allowed', over.message)
    : faulty(context, over);
};

export const delegate = async (call: AssistantCall, _id: string, sent: Sent): Promise<Response> => {
  const { context } = call;
  if (!sent.fields) return faulty(context, EMPTY);
  const told = await delegatePayment(call, sent.fields, retryOf(sent));
  if (told instanceof InvalidCard) return faultyAs(context, 400, 'invalid_card', told.message, { param: told.param });
  if (told instanceof Refusal) return faulty(context, told);
  const { replayed, ...document } = told;
  return shown(call, document, 201, replayed);
};
