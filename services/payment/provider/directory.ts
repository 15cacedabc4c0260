// Every provider by its name: the four that are built in, each at its address, and the merchants' own.
import type { Environment } from '#runtime/call.ts';
import type { Outbound } from '#runtime/outbound.ts';
import { bankAfrica } from './bank_africa.ts';
import { cardCheckout } from './card_checkout.ts';
import { customProvider } from './custom.ts';
import { mobileMoney } from './mobile_money.ts';
import { type Adapter, type BuiltIn, isBuiltIn } from './provider.ts';
import { wallet } from './wallet.ts';

export interface Adapters {
  readonly builtIn: Readonly<Record<BuiltIn, Adapter>>;
  readonly custom: Adapter;
  of(name: string, custom: boolean): Adapter;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** STOA_STRIPE_URL, STOA_PAYPAL_URL, STOA_PAYSTACK_URL, STOA_DARAJA_URL: other addresses than the providers' own. */
export const openAdapters = (variables: Variables, outbound: Outbound, nowMs: () => number): Adapters => {
  const address = (name: string, standard: string): string => (variables[name] || standard).replace(/\/$/, '');
  const both = (name: string, live: string, test: string): Record<Environment, string> => ({
    production: address(name, live),
    sandbox: address(name, test),
  });
  const builtIn: Record<BuiltIn, Adapter> = {
    card_checkout: cardCheckout(address('STOA_STRIPE_URL', 'https://api.stripe.com')),
    wallet: wallet(both('STOA_PAYPAL_URL', 'https://api-m.paypal.com', 'https://api-m.sandbox.paypal.com')),
    bank_africa: bankAfrica(address('STOA_PAYSTACK_URL', 'https://api.paystack.co')),
    mobile_money: mobileMoney(
      both('STOA_DARAJA_URL', 'https://api.safaricom.co.ke', 'https://sandbox.safaricom.co.ke'),
    ),
  };
  const custom = customProvider(outbound, nowMs);
  return {
    builtIn,
    custom,
    of: (name, isCustom) => (!isCustom && isBuiltIn(name) ? builtIn[name] : custom),
  };
};
