// Formats a checkout intent as an ACP checkout session.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { takesCards } from '#edge/assistant/assistant_store.ts';
import { codesSent, rejectionOf } from '#edge/assistant/discount_code.ts';
import { checkoutUrl } from '#edge/assistant/ucp/document/basket.ts';
import { HANDLER_ID } from '#edge/assistant/ucp/document/envelope.ts';
import type { CheckoutIntent, IntentLine } from '#proto/gen/agent.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import { orderUrl } from '#services/commerce/ucp_basket.ts';
import { addressOf, feeTotals, lineTotals, minorOf, present, titleOf, totalsOf } from './basket.ts';
import { VERSION } from './fault.ts';
import { codeMessages, type Message, NO_HANDLER, requirementMessages } from './message.ts';

type SessionContext = Pick<AssistantCall, 'shop' | 'environment' | 'base'>;
type Minor = (major: number) => number;

/** URL of the public description of card tokens; Stoa never fetches it. */
const SPEC = 'https://agenticcommerce.dev/handlers/tokenized.card';

/** Fields that the discount extension adds, as each response must declare (RFC extensions, 3.3). */
const DISCOUNT_EXTENSION = {
  name: 'discount',
  extends: ['CheckoutSessionCreateRequest', 'CheckoutSessionUpdateRequest', 'CheckoutSession'].map(
    (schema) => `$.${schema}.discounts`,
  ),
};

const isClosed = ({ status }: CheckoutIntent): boolean => status !== 'open' && status !== 'ready';

const handlersOf = ({ shop, environment }: SessionContext) =>
  takesCards(shop, environment)
    ? [
        {
          id: HANDLER_ID,
          name: 'dev.acp.tokenized.card',
          display_name: 'Card',
          version: VERSION,
          spec: SPEC,
          requires_delegate_payment: true,
          requires_pci_compliance: false,
          psp: environment === 'sandbox' ? 'stoa_sandbox' : 'card_checkout',
          config_schema: `${SPEC}/config.json`,
          instrument_schemas: [`${SPEC}/instrument.json`],
          config: { merchant_id: shop.id, environment },
        },
      ]
    : [];

const messagesOf = (intent: CheckoutIntent, { shop, environment }: SessionContext): Message[] => [
  ...requirementMessages(intent.requirements),
  ...(!isClosed(intent) && intent.grand_total > 0 && !takesCards(shop, environment) ? [NO_HANDLER] : []),
  ...(isClosed(intent) ? [] : codeMessages(intent)),
];

const statusOf = ({ status }: CheckoutIntent, messages: readonly Message[]): string => {
  if (status === 'completed' || status === 'expired') return status;
  if (status === 'cancelled') return 'canceled';
  const errors = messages.filter(({ type }) => type === 'error');
  if (errors.length === 0) return 'ready_for_payment';
  return errors.every(({ resolution }) => resolution === 'requires_buyer_input')
    ? 'requires_escalation'
    : 'not_ready_for_payment';
};

const lineOf = (line: IntentLine, minor: Minor, taxInclusive: boolean) => ({
  id: line.id,
  item: { id: line.variant_id, name: titleOf(line), unit_amount: minor(line.unit_price) },
  quantity: line.quantity,
  name: titleOf(line),
  unit_amount: minor(line.unit_price),
  variant_id: line.variant_id,
  ...present<{ product_id: string; sku: string }>({ product_id: line.product_id, sku: line.sku }),
  ...(line.thumbnail_url && URL.canParse(line.thumbnail_url) && { images: [line.thumbnail_url] }),
  totals: lineTotals(line, minor, taxInclusive),
});

const typeOf = (id: string): 'pickup' | 'shipping' => (id.startsWith('pickup:') ? 'pickup' : 'shipping');

const optionOf = (choice: ShippingChoice, minor: Minor) => ({
  type: typeOf(choice.id),
  id: choice.id,
  title: choice.name,
  ...(choice.estimate && { description: choice.estimate }),
  ...(choice.location && {
    location: {
      name: choice.location.name,
      address: addressOf(choice.location.address, choice.location.name),
      ...(choice.location.instructions && { instructions: choice.location.instructions }),
    },
  }),
  totals: feeTotals(minor(choice.fee)),
});

const LINKS = {
  terms: 'terms_of_use',
  privacy: 'privacy_policy',
  refund: 'return_policy',
  shipping: 'shipping_policy',
  returns: 'return_policy',
} as const;

const buyerOf = ({ email, buyer }: CheckoutIntent) =>
  email === null
    ? null
    : {
        email,
        ...present<{ first_name: string; last_name: string; phone_number: string }>({
          first_name: buyer?.first_name,
          last_name: buyer?.last_name,
          phone_number: buyer?.phone,
        }),
      };

const discountsOf = (intent: CheckoutIntent, minor: Minor) => ({
  codes: codesSent(intent),
  applied: intent.applied_promotions.map(({ promotion_id, code, title, amount }) => ({
    id: promotion_id,
    ...(code && { code }),
    coupon: { id: promotion_id, name: title },
    amount: minor(amount),
    automatic: code === null,
  })),
  rejected: intent.rejected_codes.map((unused) => ({
    code: unused.code,
    reason: rejectionOf(unused),
    message: unused.reason,
  })),
});

/** `orderNumber` is set only in the response that completes the session. */
export const sessionDocument = (
  place: SessionContext,
  intent: CheckoutIntent,
  orderNumber: string | null = null,
): object => {
  const minor = minorOf(intent.currency);
  const messages = messagesOf(intent, place);
  const buyer = buyerOf(intent);
  const { shipping_address: address, shipping_option_id: chosen } = intent;
  return {
    id: intent.id,
    protocol: { version: VERSION },
    capabilities: {
      payment: { handlers: handlersOf(place) },
      interventions: { supported: [], required: [], enforcement: 'optional' },
      extensions: [DISCOUNT_EXTENSION],
    },
    status: statusOf(intent, messages),
    currency: intent.currency.toLowerCase(),
    ...(buyer && { buyer }),
    line_items: intent.lines.map((line) => lineOf(line, minor, intent.tax_inclusive)),
    ...(address && {
      fulfillment_details: {
        ...present<{ name: string; phone_number: string; email: string }>({
          name: [address.first_name, address.last_name].filter(Boolean).join(' '),
          phone_number: address.phone,
          email: intent.email,
        }),
        address: addressOf(address),
      },
    }),
    fulfillment_options: intent.shipping_options
      .filter(({ available }) => available)
      .map((choice) => optionOf(choice, minor)),
    ...(chosen && {
      selected_fulfillment_options: [
        { type: typeOf(chosen), option_id: chosen, item_ids: intent.lines.map(({ id }) => id) },
      ],
    }),
    totals: totalsOf(intent, minor, { delivered: chosen !== null, taxInclusive: intent.tax_inclusive }),
    messages,
    links: place.shop.policies.map(({ type, title }) => ({
      type: LINKS[type],
      title,
      url: `${place.base}/policies/${type}`,
    })),
    discounts: discountsOf(intent, minor),
    created_at: intent.created_at,
    expires_at: intent.expires_at,
    ...(!isClosed(intent) && { continue_url: checkoutUrl(place.base, intent.id) }),
    ...(intent.order_id && {
      order: {
        type: 'order',
        id: intent.order_id,
        checkout_session_id: intent.id,
        ...(orderNumber && { order_number: orderNumber }),
        permalink_url: orderUrl(place.base, intent.order_id),
      },
    }),
  };
};
