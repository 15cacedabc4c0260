// Builds the `ucp` object of every response: version, capabilities and payment handlers.
import { type AssistantStore, takesCards } from '#edge/assistant/assistant_store.ts';
import type { Environment } from '#runtime/call/call.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';
import type { Envelope } from './schema.ts';

export const CAPABILITIES = {
  search: 'dev.ucp.shopping.catalog.search',
  lookup: 'dev.ucp.shopping.catalog.lookup',
  cart: 'dev.ucp.shopping.cart',
  checkout: 'dev.ucp.shopping.checkout',
  fulfillment: 'dev.ucp.shopping.fulfillment',
  discount: 'dev.ucp.shopping.discount',
  order: 'dev.ucp.shopping.order',
} as const;

type Capability = keyof typeof CAPABILITIES;

/** Name of the payment handler for card tokens, which the store's provider charges. */
const HANDLER = 'dev.stoa.card_token';
export const HANDLER_ID = 'card_token';
export const INSTRUMENT = 'card';

export interface Setting {
  readonly shop: AssistantStore;
  readonly environment: Environment;
  readonly base: string;
}

const declared = (names: readonly Capability[]) =>
  Object.fromEntries(names.map((name) => [CAPABILITIES[name], [{ version: UCP_VERSION }]]));

export const envelopeOf = (...names: readonly Capability[]): Envelope => ({
  version: UCP_VERSION,
  status: 'success',
  capabilities: declared(names),
});

export const paymentHandlers = ({ shop, environment, base }: Setting): NonNullable<Envelope['payment_handlers']> =>
  takesCards(shop, environment)
    ? {
        [HANDLER]: [
          {
            id: HANDLER_ID,
            version: UCP_VERSION,
            available_instruments: [{ type: INSTRUMENT }],
            config: {
              merchant_id: shop.id,
              environment,
              ...(environment === 'sandbox' && {
                delegate_payment_url: `${base}/acp/agentic_commerce/delegate_payment`,
              }),
            },
          },
        ],
      }
    : {};

export const checkoutEnvelope = (setting: Setting): Envelope => ({
  ...envelopeOf('checkout', 'fulfillment', 'discount'),
  payment_handlers: paymentHandlers(setting),
});

export const FAILED: Envelope = { version: UCP_VERSION, status: 'error' };
