// This browser's checkout intent, which is updated with the cart while it is open.
import { StoaError } from '#proto/client/storefront.ts';
import type {
  CheckoutIntent,
  CreateCheckoutIntentRequest,
  ShoppingCart,
  StoreOrder,
} from '#proto/gen/client/message.ts';
import type { OpenShop } from './client.ts';
import { readCart } from './currency.ts';
import { removeCards } from './gift_card.ts';
import { askServer, storedSession } from './server.ts';

const INTENT = 'stoa-shop-checkout';

const contentsOf = (cart: ShoppingCart): Pick<CreateCheckoutIntentRequest, 'items' | 'promotion_codes'> => ({
  items: cart.items.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
  promotion_codes: cart.promotion_codes.filter((code) => !cart.rejected_codes.some((each) => each.code === code)),
});

const linesKey = (lines: readonly { readonly variant_id: string; readonly quantity: number }[]): string =>
  lines
    .map(({ variant_id, quantity }) => `${variant_id} ${quantity}`)
    .sort()
    .join();

const matchesCart = (intent: CheckoutIntent, wanted: ReturnType<typeof contentsOf>): boolean =>
  linesKey(intent.lines) === linesKey(wanted.items ?? []) &&
  [...intent.promotion_codes].sort().join() === [...(wanted.promotion_codes ?? [])].sort().join();

const isOpen = ({ status }: CheckoutIntent): boolean => status === 'open' || status === 'ready';

const isRefused = (problem: unknown): boolean =>
  problem instanceof StoaError && problem.status >= 400 && problem.status < 500;

const storedIntent = async ({ api }: OpenShop): Promise<CheckoutIntent | null> => {
  const id = localStorage.getItem(INTENT);
  if (!id) return null;
  try {
    const { data } = await api.agent.checkoutIntents.get({ id });
    return data;
  } catch (problem) {
    if (!isRefused(problem)) throw problem;
  }
  localStorage.removeItem(INTENT);
  return null;
};

type Destination = Pick<
  CreateCheckoutIntentRequest,
  'email' | 'shipping_address' | 'billing_address' | 'shipping_option_id'
>;

/** Returns where the last order of a shopper who is signed in went, and how; null if that is not known. */
const lastDestination = async ({ setting }: OpenShop): Promise<Destination | null> => {
  const { access_token, expires_at } = storedSession() ?? {};
  if (!setting.server || !access_token || !expires_at) return null;
  try {
    const { orders } = await askServer<{ orders: readonly StoreOrder[] }>('orders', { access_token, expires_at });
    const last = orders[0];
    if (!last) return null;
    const { email, shipping_address, billing_address, shipping_option_id } = last;
    return { email, shipping_address, billing_address, shipping_option_id };
  } catch {
    // The checkout asks for the address then.
    return null;
  }
};

const destinationOf = (intent: CheckoutIntent): Destination => {
  const { email, shipping_address, billing_address, shipping_option_id } = intent;
  return { email, shipping_address, billing_address, shipping_option_id };
};

/** Returns the cart's open intent, or a new one if there is none; null if the cart is empty. */
export const openIntent = async (shop: OpenShop): Promise<CheckoutIntent | null> => {
  const { checkoutIntents } = shop.api.agent;
  const [known, cart] = await Promise.all([storedIntent(shop), readCart(shop)]);
  if (known?.status === 'completed') return known;
  if (cart.items.length === 0) return null;
  const wanted = contentsOf(cart);
  const open = known && isOpen(known) ? known : null;
  if (open?.currency === cart.currency) {
    if (matchesCart(open, wanted)) return open;
    try {
      return (await checkoutIntents.update({ id: open.id, ...wanted })).data;
    } catch (problem) {
      if (!isRefused(problem)) throw problem;
    }
  }
  // Cancels the intent, so that its stock is free for the next one.
  if (open) await checkoutIntents.cancel({ id: open.id }).catch(() => {});
  const destination = known?.email ? destinationOf(known) : await lastDestination(shop);
  const currency = cart.currency === shop.store.currency ? null : cart.currency;
  const create = (to: Destination | null) =>
    checkoutIntents.create({ ...wanted, ...to, currency, language: shop.language });
  const { data } = await create(destination).catch((problem: unknown) => {
    if (!isRefused(problem) || !destination?.shipping_option_id) throw problem;
    // The former delivery may not suit these items.
    return create({ ...destination, shipping_option_id: null });
  });
  localStorage.setItem(INTENT, data.id);
  return data;
};

export const closeIntent = async ({ api }: OpenShop): Promise<void> => {
  localStorage.removeItem(INTENT);
  removeCards();
  await api.cart.empty();
};
