// Checks of a payment against its store: currency, customer and return URLs.
import type { InitializePaymentRequest } from '#proto/gen/payment.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { AskDomain, Runtime } from '#runtime/domain/runtime.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export const storeCurrency = async (ask: AskDomain, tenant: Tenant): Promise<Currency> => {
  const reply = await ask('StoreDirectory/GetProfile', tenant, { store: tenant.store });
  if (reply instanceof Refusal) throw new Unavailable('The store is not known.');
  return currencyOf(reply.currency);
};

export const refuseCustomer = async (ask: AskDomain, tenant: Tenant, customer: string): Promise<Refusal | null> => {
  const reply = await ask('CustomerDirectory/FindCustomer', tenant, { customer_id: customer });
  return reply instanceof Refusal ? reply : null;
};

const RETURNS = ['success_url', 'cancel_url', 'callback_url'] as const;

export const isOwnPage = (publicUrl: string, address: string | null | undefined): boolean =>
  address?.startsWith(`${publicUrl}/s/`) === true;

/**
 * Refuses return addresses outside of the store's `allowed_redirect_origins`, its website and its pages on this
 * service. A store without such a list may use any, since its server signed the request.
 */
export const refuseReturn = async (
  { ask, settings: { publicUrl } }: Pick<Runtime, 'ask' | 'settings'>,
  tenant: Tenant,
  input: InitializePaymentRequest,
): Promise<Refusal | null> => {
  const given = RETURNS.filter((param) => input[param] && !isOwnPage(publicUrl, input[param]));
  if (given.length === 0) return null;
  const shop = await ask('StoreDirectory/GetIdentity', tenant, { store: tenant.store });
  if (shop instanceof Refusal) throw new Unavailable('The store is not known.');
  if (shop.allowed_redirect_origins.length === 0) return null;
  const own = URL.parse(shop.website_url ?? '')?.origin;
  const param = given.find((name) => {
    const origin = URL.parse(input[name]!)?.origin;
    return !origin || (origin !== own && !shop.allowed_redirect_origins.includes(origin));
  });
  return param
    ? refuse('invalid_request', `\`${param}\` does not lead to this store.`, {
        param,
        hint: 'Its origin is that of `website_url` or one of `allowed_redirect_origins`.',
      })
    : null;
};
