// Limits responses to the negotiated capabilities, and refuses operations that need others.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';
import { CAPABILITIES, FAILED } from './document/envelope.ts';
import type { Negotiated } from './negotiation.ts';

type Capabilities = Negotiated['capabilities'];

export const continueUrlOf = ({ shop, base }: Pick<AssistantCall, 'shop' | 'base'>): string => shop.website_url ?? base;

export const limitedTo = (document: object, capabilities: Capabilities): object => {
  if (capabilities === null || !('ucp' in document)) return document;
  const { ucp, ...rest } = document as { ucp: { capabilities?: Readonly<Record<string, unknown>> } } & Record<
    string,
    unknown
  >;
  const active = Object.entries(ucp.capabilities ?? {}).filter(([name]) => capabilities.has(name));
  if (!capabilities.has(CAPABILITIES.fulfillment)) delete rest.fulfillment;
  if (!capabilities.has(CAPABILITIES.discount)) delete rest.discounts;
  return { ucp: ucp.capabilities ? { ...ucp, capabilities: Object.fromEntries(active) } : ucp, ...rest };
};

const capabilityOf = (operation: string): string | null => {
  if (operation === 'search_catalog') return CAPABILITIES.search;
  if (operation === 'lookup_catalog' || operation === 'get_product') return CAPABILITIES.lookup;
  if (operation === 'get_order') return CAPABILITIES.order;
  if (operation.endsWith('_cart')) return CAPABILITIES.cart;
  return operation.endsWith('_checkout') ? CAPABILITIES.checkout : null;
};

export const incompatible = (
  call: Pick<AssistantCall, 'shop' | 'base'>,
  operation: string,
  capabilities: Capabilities,
): object | null => {
  const name = capabilityOf(operation);
  if (capabilities === null || name === null || capabilities.has(name)) return null;
  return {
    ucp: { ...FAILED, capabilities: {} },
    messages: [
      {
        type: 'error',
        code: 'capabilities_incompatible',
        content: `The platform’s profile does not name ${name} in version ${UCP_VERSION}.`,
        severity: 'unrecoverable',
      },
    ],
    continue_url: continueUrlOf(call),
  };
};
