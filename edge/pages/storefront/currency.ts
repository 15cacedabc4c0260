// The currency that the shopper chose: its cookie, and prices and carts in it.
import { StoaError } from '#proto/client/storefront.ts';
import type { CartResponse, ShoppingCart } from '#proto/gen/client/message.ts';
import type { OpenShop, ShopProfile } from './client.ts';

const CURRENCY_COOKIE = 'stoa-shop-currency';
const YEAR_S = 365 * 24 * 60 * 60;
const CODE = /^[A-Z]{3}$/;

/** `cookies` is a `Cookie` header or `document.cookie`. Returns null without a chosen currency. */
export const readCurrency = (cookies: string | null): string | null => {
  for (const part of (cookies ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === CURRENCY_COOKIE && CODE.test(value)) return value;
  }
  return null;
};

/** `Lax`, so that another site's form cannot change the currency. */
export const currencyCookie = (currency: string, base: string, isSecure: boolean): string =>
  `${CURRENCY_COOKIE}=${currency}; Path=${base || '/'}; Max-Age=${YEAR_S}; SameSite=Lax${isSecure ? '; Secure' : ''}`;

type SellingStore = Pick<ShopProfile, 'currency' | 'currencies'>;

/** Currencies that a shopper can choose, the store's own first. */
export const currenciesOf = ({ currency, currencies }: SellingStore): readonly string[] => [
  currency,
  ...currencies.map((each) => each.currency),
];

/** Returns the store's own currency without a choice, and for a choice that the store does not have. */
export const currencyShown = (store: SellingStore, chosen: string | null): string =>
  chosen !== null && currenciesOf(store).includes(chosen) ? chosen : store.currency;

type PricedShop = Pick<OpenShop, 'currency' | 'store'>;

/** Whether prices in the shown currency are a price list's, which no search compares. */
export const hasFixedPrices = ({ currency, store }: PricedShop): boolean =>
  store.currencies.some((each) => each.currency === currency && each.prices === 'fixed');

const isUnavailable = (problem: unknown): boolean =>
  problem instanceof StoaError && (problem.code === 'currency_not_available' || problem.param === 'currency');

/** Asks for prices in the shown currency; in the store's own while the shown one has no current exchange rate. */
export const inCurrency = async <T>(
  { currency, store }: PricedShop,
  ask: (prices: { readonly currency?: string }) => Promise<T>,
): Promise<T> => {
  if (currency === store.currency) return ask({});
  try {
    return await ask({ currency });
  } catch (problem) {
    if (isUnavailable(problem)) return ask({});
    throw problem;
  }
};

/** Returns the cart in the shown currency; in its former one while the shown one has no current exchange rate. */
export const cartInCurrency = async (
  { api, currency }: Pick<OpenShop, 'api' | 'currency'>,
  { cart }: CartResponse,
): Promise<ShoppingCart> => {
  if (cart.currency === currency || cart.items.length === 0) return cart;
  try {
    return (await api.cart.update({ currency })).cart;
  } catch (problem) {
    if (isUnavailable(problem)) return cart;
    throw problem;
  }
};

export const readCart = async (shop: Pick<OpenShop, 'api' | 'currency'>): Promise<ShoppingCart> =>
  cartInCurrency(shop, await shop.api.cart.get());
