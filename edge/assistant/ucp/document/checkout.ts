// Formats a checkout intent as a UCP checkout.
import { takesCards } from '#edge/assistant/assistant_store.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { minorOf, orderUrl, totalsOf } from '#services/commerce/ucp_basket.ts';
import { buyerOf, checkoutUrl, discountsOf, lineItemOf, linksOf } from './basket.ts';
import { checkoutEnvelope, type Setting } from './envelope.ts';
import { fulfillmentOf } from './fulfillment.ts';
import { codeMessages, NO_HANDLER, refusalMessage, requirementMessages } from './message.ts';
import type { Checkout, Message } from './schema.ts';

const isClosed = (status: CheckoutIntent['status']): boolean => status !== 'open' && status !== 'ready';

const messagesOf = (intent: CheckoutIntent, { shop, environment }: Setting): Message[] => [
  ...requirementMessages(intent.requirements),
  ...(!isClosed(intent.status) && intent.grand_total > 0 && !takesCards(shop, environment) ? [NO_HANDLER] : []),
  ...(isClosed(intent.status) ? [] : codeMessages(intent)),
];

const statusOf = ({ status }: CheckoutIntent, messages: readonly Message[]): Checkout['status'] => {
  if (status === 'completed') return 'completed';
  if (status === 'cancelled' || status === 'expired') return 'canceled';
  if (messages.some(({ severity }) => severity === 'recoverable')) return 'incomplete';
  const buyers = messages.some(
    ({ severity }) => severity === 'requires_buyer_input' || severity === 'requires_buyer_review',
  );
  return buyers ? 'requires_escalation' : 'ready_for_complete';
};

/** `orderNumber` is null until the checkout is completed; `refused` is the last operation's refusal. */
export const checkoutDocument = (
  setting: Setting,
  intent: CheckoutIntent,
  { orderNumber = null, refused = null }: { orderNumber?: string | null; refused?: Refusal | null } = {},
): Checkout => {
  const minor = minorOf(intent.currency);
  const messages = messagesOf(intent, setting);
  const fulfillment = fulfillmentOf(intent, minor);
  const closed = isClosed(intent.status);
  return {
    ucp: checkoutEnvelope(setting),
    id: intent.id,
    status: statusOf(intent, messages),
    currency: intent.currency,
    line_items: intent.lines.map((line) => lineItemOf(line, minor, intent.tax_inclusive)),
    totals: totalsOf(intent, minor, {
      delivered: intent.shipping_option_id !== null,
      taxInclusive: intent.tax_inclusive,
    }),
    buyer: buyerOf(intent.email, intent.buyer),
    ...(fulfillment && { fulfillment }),
    discounts: discountsOf(intent, minor),
    messages: [...(refused ? [refusalMessage(refused, closed ? 'unrecoverable' : 'recoverable')] : []), ...messages],
    links: linksOf(setting),
    expires_at: intent.expires_at,
    ...(!closed && { continue_url: checkoutUrl(setting.base, intent.id) }),
    ...(intent.order_id && {
      order: {
        id: intent.order_id,
        ...(orderNumber && { label: `#${orderNumber}` }),
        permalink_url: orderUrl(setting.base, intent.order_id),
      },
    }),
  };
};
