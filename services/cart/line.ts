// Lines of a cart, the catalogue's offers for them, and arithmetic on both. Amounts are in minor units.
import { counted, type Refusal, refuse } from '#runtime/call/call.ts';

export interface CartVariant {
  readonly variant_id: string;
  readonly product_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly is_active: boolean;
  /** Price of one unit for shoppers without special prices; null if there is none. */
  readonly unit_price: number | null;
  readonly currency: string;
  readonly stock: number;
}

export interface QuantityPrice {
  readonly from: number;
  readonly unit_price: number;
}

export interface LineOffer extends CartVariant {
  /** Sorted by quantity, ascending; empty if the variant has no price and cannot be bought. */
  readonly prices: readonly QuantityPrice[];
}

export interface CartLine {
  readonly id: string;
  readonly product_id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly quantity: number;
  /** Price at the last change of the line. */
  readonly unit_price: number;
}

export const LIMITS = {
  linesMax: 200,
  quantityMax: 9_999,
  /** Limits the units, so that totals stay exact numbers. */
  unitsMax: 99_999,
  amountMax: 999_999_999_999_999,
  thumbnailCharactersMax: 512,
} as const;

/** Returns the units in stock; 0 for unknown, unpublished or unpriced variants. */
export const availableUnits = (offer: LineOffer | null | undefined): number =>
  offer?.is_active && offer.prices.length > 0 ? Math.max(0, offer.stock) : 0;

export const unitPriceOf = ({ prices }: LineOffer, quantity: number): number | null =>
  prices.findLast(({ from }) => from <= quantity)?.unit_price ?? null;

export const lineOf = (id: string, offer: LineOffer, quantity: number): CartLine => ({
  id,
  product_id: offer.product_id,
  variant_id: offer.variant_id,
  name: offer.name,
  variant_name: offer.variant_name,
  sku: offer.sku,
  thumbnail_url:
    offer.thumbnail_url !== null && offer.thumbnail_url.length <= LIMITS.thumbnailCharactersMax
      ? offer.thumbnail_url
      : null,
  quantity,
  unit_price: unitPriceOf(offer, quantity)!,
});

export const unitCount = (lines: readonly CartLine[]): number =>
  lines.reduce((count, line) => count + line.quantity, 0);

export const replaceLines = (
  lines: readonly CartLine[],
  put: readonly CartLine[],
  out: readonly string[],
): readonly CartLine[] => {
  const stored = lines
    .filter(({ id }) => !out.includes(id))
    .map((line) => put.find(({ id }) => id === line.id) ?? line);
  return [...stored, ...put.filter(({ id }) => !lines.some((line) => line.id === id))];
};

export const limitRefusal = (lines: readonly CartLine[]): Refusal | null => {
  if (lines.length > LIMITS.linesMax)
    return refuse('conflict', `A cart holds at most ${LIMITS.linesMax} items. Remove one first.`);
  if (lines.some(({ quantity }) => quantity > LIMITS.quantityMax)) {
    return refuse('invalid_request', `The quantity of an item is at most ${LIMITS.quantityMax}.`, {
      param: 'quantity',
    });
  }
  const worth = lines.reduce((amount, line) => amount + line.unit_price * line.quantity, 0);
  if (unitCount(lines) > LIMITS.unitsMax || worth > LIMITS.amountMax) {
    return refuse(
      'invalid_request',
      `A cart holds at most ${LIMITS.unitsMax} units, not ${unitCount(lines)}. Send a lower quantity.`,
      { param: 'quantity' },
    );
  }
  return null;
};

export const shortage = (offer: LineOffer | null, quantity: number): Refusal | null => {
  const most = availableUnits(offer);
  const least = offer?.prices[0]?.from ?? 1;
  if (quantity <= most && quantity < least) {
    return refuse(
      'invalid_request',
      `The quantity ${quantity} is below ${least}, the smallest that is sold of this item.`,
      { param: 'quantity' },
    );
  }
  if (quantity <= most) return null;
  const message =
    most === 0
      ? 'This item is not available. Choose another one.'
      : `Only ${counted(most, 'unit')} of this item can be sold, not ${quantity}. Send a lower quantity.`;
  const outOfStock = offer?.is_active && offer.prices.length > 0 && most === 0 ? { causes: [offer.variant_id] } : {};
  return refuse('insufficient_stock', message, { param: 'quantity', details: `available: ${most}`, ...outOfStock });
};
