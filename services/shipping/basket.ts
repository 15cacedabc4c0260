// A basket as shipping sees it: the catalogue says what its lines weigh and which categories they are in.
import type { VariantSummary, VariantsByIdsResponse } from '#proto/gen/catalog_directory.ts';
import type { ShippingLine } from '#proto/gen/shipping.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { AskDomain } from '#runtime/domain/runtime.ts';
import type { ShippedBasket } from './rate.ts';

const NOTHING: ReadonlySet<string> = new Set();

export const noBasket = (orderTotal: number): ShippedBasket => ({
  weightGrams: null,
  isSent: true,
  categories: NOTHING,
  orderTotal,
});

/**
 * The lines weighed, at once where the catalogue is at hand; refused where a variant is unknown, or not for this
 * caller's eyes.
 */
export const readBasket = (
  ask: AskDomain,
  call: Call,
  lines: readonly ShippingLine[],
  orderTotal: number,
): ShippedBasket | Refusal | Promise<ShippedBasket | Refusal> => {
  const { deadline, requestId, trace, revisionMin } = call;
  const told = ask(
    'CatalogDirectory/VariantsByIds',
    call.tenant,
    { variant_ids: lines.map((line) => line.variant_id) },
    { deadline, requestId, trace, revisionMin, reads: true },
  );
  return told instanceof Promise
    ? told.then((reply) => weighed(reply, call, lines, orderTotal))
    : weighed(told, call, lines, orderTotal);
};

/** As many are looked through more quickly than laid into a map. */
const FEW = 8;

const finder = (variants: readonly VariantSummary[]): ((id: string) => VariantSummary | undefined) => {
  if (variants.length <= FEW) return (id) => variants.find(({ variant_id }) => variant_id === id);
  const byId = new Map(variants.map((variant) => [variant.variant_id, variant]));
  return (id) => byId.get(id);
};

const weighed = (
  reply: VariantsByIdsResponse | Refusal,
  { keyType }: Call,
  lines: readonly ShippingLine[],
  orderTotal: number,
): ShippedBasket | Refusal => {
  if (reply instanceof Refusal) throw new Unavailable('The catalogue does not answer.');
  const variantOf = finder(reply.variants);
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

/** Few rates ask for categories. */
class SummedBasket implements ShippedBasket {
  readonly weightGrams: number | null;
  readonly orderTotal: number;
  readonly #sent: readonly VariantSummary[];

  constructor(weightGrams: number | null, orderTotal: number, variants: readonly VariantSummary[]) {
    this.weightGrams = weightGrams;
    this.orderTotal = orderTotal;
    this.#sent = variants.filter(({ requires_shipping }) => requires_shipping);
  }

  get isSent(): boolean {
    return this.#sent.length > 0;
  }

  get categories(): ReadonlySet<string> {
    const ids = this.#sent.flatMap(({ category_id, subcategory_id }) => [category_id, subcategory_id]);
    return new Set(ids.filter((id): id is string => typeof id === 'string'));
  }
}

/** What is not sent weighs nothing. */
const weightOf = ({ requires_shipping, weight_grams }: VariantSummary): number | null =>
  requires_shipping ? weight_grams : 0;
