// Delivery options for a basket and an address, before a checkout.
import type { AssistantRpcs, ListWaysRequest, ListWaysResponse } from '#proto/gen/assistant.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import { badAddress } from '#services/commerce/address.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';

export const deliveryHandlers = ({ ask, askOrThrow }: DomainClient): Pick<Handlers<AssistantRpcs>, 'ListWays'> => ({
  ListWays: read<ListWaysRequest, ListWaysResponse>(async (call, { items: given, address }) => {
    const nowhere = badAddress(address, 'address');
    if (nowhere) return nowhere;
    const items = given.map(({ variant_id, quantity }) => ({ variant_id: variant_id.toLowerCase(), quantity }));
    const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, {
      variant_ids: items.map(({ variant_id }) => variant_id),
    });
    const known = new Map(variants.map((variant) => [variant.variant_id, variant]));
    const unknown = items.findIndex(({ variant_id }) => !known.get(variant_id)?.is_active);
    if (unknown >= 0) return notFound('variant', `items[${unknown}].variant_id`);
    const priced = await ask('PricingDirectory/PriceBasket', call, { items, shipping_fee: null, address: null });
    if (priced instanceof Refusal) return priced;
    const { currency, subtotal, discount_total } = priced;
    if (!items.some(({ variant_id }) => known.get(variant_id)!.requires_shipping)) return { currency, options: [] };
    const unit = currencyOf(currency);
    const order_total = toMajor(fromMajor(subtotal, unit) - fromMajor(discount_total, unit), unit);
    const found = await ask('ShippingDirectory/ListChoices', call, { address, items, order_total });
    return { currency, options: found instanceof Refusal ? [] : found.options };
  }),
});
