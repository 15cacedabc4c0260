// All payment providers by name: the four built-in ones with their API addresses, and merchants' own.
import type { Environment } from '#runtime/call/call.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import type { Settings } from '#runtime/process/setting.ts';
import { bankAfrica } from './bank_africa.ts';
import { cardCheckout } from './card_checkout.ts';
import { customProvider } from './custom.ts';
import { mobileMoney } from './mobile_money.ts';
import { type BuiltIn, isBuiltIn, type ProviderAdapter } from './provider.ts';
import { wallet } from './wallet.ts';

export interface Adapters {
  readonly builtIn: Readonly<Record<BuiltIn, ProviderAdapter>>;
  readonly custom: ProviderAdapter;
  of(name: string, custom: boolean): ProviderAdapter;
}

export const openAdapters = (urls: Settings['providerUrls'], outbound: Outbound, nowMs: () => number): Adapters => {
  const both = (url: string | null, live: string, test: string): Record<Environment, string> => ({
    production: url ?? live,
    sandbox: url ?? test,
  });
  const builtIn: Record<BuiltIn, ProviderAdapter> = {
    card_checkout: cardCheckout(urls.stripe ?? 'https://api.stripe.com'),
    wallet: wallet(both(urls.paypal, 'https://api-m.paypal.com', 'https://api-m.sandbox.paypal.com')),
    bank_africa: bankAfrica(urls.paystack ?? 'https://api.paystack.co'),
    mobile_money: mobileMoney(both(urls.daraja, 'https://api.safaricom.co.ke', 'https://sandbox.safaricom.co.ke')),
  };
  const custom = customProvider(outbound, nowMs);
  return {
    builtIn,
    custom,
    of: (name, isCustom) => (!isCustom && isBuiltIn(name) ? builtIn[name] : custom),
  };
};
