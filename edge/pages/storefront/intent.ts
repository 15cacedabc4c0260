// This browser's checkout intent, which is updated with the cart while it is open.
import { StoaError } from '#proto/client/storefront.ts';
import type { CheckoutIntent, CreateCheckoutIntentRequest, ShoppingCart } from '#proto/gen/client/message.ts';
import type { OpenShop } from './client.ts';
import { readCart } from './currency.ts';
import { removeCards } from './gift_card.ts';

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
  const { data } = await checkoutIntents.create({
    ...wanted,
    ...(cart.currency !== shop.store.currency && { currency: cart.currency }),
    ...(known?.email && { email: known.email }),
    ...(known?.shipping_address && { shipping_address: known.shipping_address }),
    ...(known?.billing_address && { billing_address: known.billing_address }),
  });
  localStorage.setItem(INTENT, data.id);
  return data;
};

export const closeIntent = async ({ api }: OpenShop): Promise<void> => {
  localStorage.removeItem(INTENT);
  removeCards();
  await api.cart.empty();
};
