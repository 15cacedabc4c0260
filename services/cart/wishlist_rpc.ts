// The rpc handlers of wishlists.

import type {
  GetWishlistRequest,
  ShopperWishlist,
  WishlistItem,
  WishlistResponse,
  WishlistRpcs,
} from '#proto/gen/wishlist.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { WISHLIST } from './actor.ts';
import { afterEffect, effect, readCall } from './actor_call.ts';
import type { CartCatalogue, ProductOffer } from './catalogue.ts';
import { derivedId } from './derived_id.ts';
import type { CartVariant } from './line.ts';
import type { WishlistCommand, WishlistEntry, WishlistState } from './wishlist.ts';

const amountOf = (minor: number | null, currency: string): number | null =>
  minor === null ? null : toMajor(minor, currencyOf(currency));

type CurrentOffer = {
  readonly name: string;
  readonly price: number | null;
  readonly currency: string;
  readonly stock: number;
};

const itemOf = (entry: WishlistEntry, found: CurrentOffer | null): WishlistItem => ({
  id: entry.id,
  product_id: entry.product_id,
  variant_id: entry.variant_id,
  name: found?.name ?? entry.name,
  price: found ? amountOf(found.price, found.currency) : amountOf(entry.price, entry.currency),
  price_at_add: amountOf(entry.price, entry.currency),
  in_stock: (found?.stock ?? 0) > 0,
  added_at: new Date(entry.addedAt).toISOString(),
});

const foundProduct = (product: ProductOffer | null | undefined): CurrentOffer | null =>
  product?.is_active ? product : null;
const foundVariant = (variant: CartVariant | undefined): CurrentOffer | null => {
  if (!variant?.is_active) return null;
  const { name, unit_price: price, currency, stock } = variant;
  return { name, price, currency, stock: price === null ? 0 : stock };
};

export const wishlistHandlers = (
  { actors }: Pick<Runtime, 'actors'>,
  catalogue: CartCatalogue,
): Handlers<WishlistRpcs> => {
  const shown = async (
    call: Call,
    customer: string,
    answer: WishlistState | Refusal,
  ): Promise<WishlistResponse | Refusal> => {
    if (answer instanceof Refusal) return answer;
    const { entries } = answer;
    const variantIds = entries.flatMap(({ variant_id }) => variant_id ?? []);
    const productIds = entries.flatMap(({ product_id, variant_id }) => (variant_id === null ? product_id : []));
    const [variants, products] = await Promise.all([
      catalogue.variants(call, variantIds),
      catalogue.products(call, productIds),
    ]);
    const wishlist: ShopperWishlist = {
      id: derivedId('wishlist', call.tenant.store, call.tenant.environment, customer),
      customer_id: customer,
      items: entries.map((entry) =>
        itemOf(
          entry,
          entry.variant_id === null
            ? foundProduct(products.get(entry.product_id))
            : foundVariant(variants.get(entry.variant_id)),
        ),
      ),
    };
    return { wishlist };
  };

  const addCommand = async (
    call: Call,
    variantId: string | null | undefined,
    productId: string | null | undefined,
  ): Promise<WishlistCommand | Refusal> => {
    if (variantId) {
      const [offer] = (await catalogue.variants(call, [variantId])).values();
      if (offer && productId && offer.product_id !== productId.toLowerCase()) {
        return refuse(
          'invalid_request',
          `Variant ${variantId} is not of product ${productId}. Send one of them, or a matching pair.`,
          { param: 'product_id' },
        );
      }
      const found = foundVariant(offer);
      const entry =
        found && offer
          ? {
              product_id: offer.product_id,
              variant_id: offer.variant_id,
              name: found.name,
              price: found.price,
              currency: found.currency,
            }
          : null;
      return { type: 'Add', entry, param: 'variant_id' };
    }
    if (!productId) {
      return refuse('invalid_request', 'The item is not named. Send `variant_id` or `product_id`.', {
        param: 'variant_id',
      });
    }
    const [product] = (await catalogue.products(call, [productId])).values();
    const found = foundProduct(product);
    const entry =
      found && product
        ? {
            product_id: product.product_id,
            variant_id: null,
            name: found.name,
            price: found.price,
            currency: found.currency,
          }
        : null;
    return { type: 'Add', entry, param: 'product_id' };
  };

  return {
    GetWishlist: read(async (call, input: GetWishlistRequest) => {
      const customer = input.customer_id.toLowerCase();
      const answer = await actors
        .tell(WISHLIST, call.tenant, customer, { type: 'Read' }, readCall(call))
        .catch(rethrowRetryable);
      return shown(call, customer, answer);
    }),

    AddWishlistItem: command(async (actors, call, input) => {
      const customer = input.customer_id.toLowerCase();
      const add = await addCommand(call, input.variant_id, input.product_id);
      if (add instanceof Refusal) return add;
      const answer = await actors.tell(WISHLIST, call.tenant, customer, add, effect(call));
      return shown(call, customer, answer).catch(afterEffect);
    }),

    RemoveWishlistItem: command(async (actors, call, input) => {
      const customer = input.customer_id.toLowerCase();
      const drop: WishlistCommand = { type: 'Remove', item_id: input.item_id.toLowerCase() };
      const answer = await actors.tell(WISHLIST, call.tenant, customer, drop, effect(call));
      return shown(call, customer, answer).catch(afterEffect);
    }),
  };
};
