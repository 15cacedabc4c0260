// Weighs a basket with the catalogue's weights, and collects the categories of its lines.
import type { VariantSummary, VariantsByIdsResponse } from '#proto/gen/catalog_directory.ts';
import type { ShippingLine } from '#proto/gen/shipping.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { AskDomain } from '#runtime/domain/runtime.ts';
import type { ShippedBasket } from './rate.ts';

const NO_CATEGORIES: ReadonlySet<string> = new Set();

export const basketWithoutLines = (orderTotal: number): ShippedBasket => ({
  weightGrams: null,
  requiresShipping: true,
  categories: NO_CATEGORIES,
  orderTotal,
});

/**
 * Returns the basket, synchronously if the variants are cached. Refuses an unknown variant; for shoppers, an inactive
 * one, too.
 */
export const weighLines = (
  ask: AskDomain,
  call: Call,
  lines: readonly ShippingLine[],
  orderTotal: number,
): ShippedBasket | Refusal | Promise<ShippedBasket | Refusal> => {
  const { deadline, requestId, trace, revisionMin } = call;
  const reply = ask(
    'CatalogDirectory/VariantsByIds',
    call.tenant,
    { variant_ids: lines.map((line) => line.variant_id) },
    { deadline, requestId, trace, revisionMin, reads: true },
  );
  return reply instanceof Promise
    ? reply.then((reply) => basketOf(reply, call, lines, orderTotal))
    : basketOf(reply, call, lines, orderTotal);
};

/** Up to this many variants, scanning the list is faster than building a map. */
const LINEAR_SEARCH_MAX = 8;

const variantFinder = (variants: readonly VariantSummary[]): ((id: string) => VariantSummary | undefined) => {
  if (variants.length <= LINEAR_SEARCH_MAX) return (id) => variants.find(({ variant_id }) => variant_id === id);
  const byId = new Map(variants.map((variant) => [variant.variant_id, variant]));
  return (id) => byId.get(id);
};

const basketOf = (
  reply: VariantsByIdsResponse | Refusal,
  { keyType }: Call,
  lines: readonly ShippingLine[],
  orderTotal: number,
): ShippedBasket | Refusal => {
  if (reply instanceof Refusal) throw new Unavailable('The catalogue could not return the variants.');
  const variantOf = variantFinder(reply.variants);
  const seesAll = keyType === 'secret' || keyType === 'internal';
  let weightGrams: number | null = 0;
  for (let at = 0; at < lines.length; at++) {
    const { variant_id, quantity } = lines[at]!;
    const variant = variantOf(variant_id.toLowerCase());
    if (!variant || !(variant.is_active || seesAll)) return notFound('variant', `items[${at}].variant_id`);
    const weight = weightOf(variant);
    weightGrams = weightGrams === null || weight === null ? null : weightGrams + weight * quantity;
  }
  return new SummedBasket(weightGrams, orderTotal, reply.variants);
};

class SummedBasket implements ShippedBasket {
  readonly weightGrams: number | null;
  readonly orderTotal: number;
  readonly requiresShipping: boolean;
  readonly #variants: readonly VariantSummary[];

  constructor(weightGrams: number | null, orderTotal: number, variants: readonly VariantSummary[]) {
    this.weightGrams = weightGrams;
    this.orderTotal = orderTotal;
    this.requiresShipping = variants.some(({ requires_shipping }) => requires_shipping);
    this.#variants = variants;
  }

  get categories(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const { requires_shipping, category_id, subcategory_id } of this.#variants) {
      if (!requires_shipping) continue;
      if (category_id !== null) ids.add(category_id);
      if (subcategory_id !== null) ids.add(subcategory_id);
    }
    return ids;
  }
}

const weightOf = ({ requires_shipping, weight_grams }: VariantSummary): number | null =>
  requires_shipping ? weight_grams : 0;
