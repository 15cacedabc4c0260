// A line of a cart, what the catalogue offers for it, and the arithmetic of both. Amounts are in minor units.
import { type Refusal, refuse } from '#runtime/call/call.ts';

/** A variant as the catalogue shows it now. */
export interface Article {
  readonly variant_id: string;
  readonly product_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly is_active: boolean;
  /** One piece, for everybody; null: it has no such price. */
  readonly unit_price: number | null;
  /** ISO 4217. */
  readonly currency: string;
  /** On hand less held. */
  readonly stock: number;
}

/** What one piece costs from a quantity on. */
export interface QuantityPrice {
  readonly from: number;
  readonly unit_price: number;
}

/** A variant with what it costs this cart's shopper. */
export interface LineOffer extends Article {
  /** The smallest quantity first; empty: it has no price, and so cannot be bought. */
  readonly prices: readonly QuantityPrice[];
}

/** What is kept of a line: enough to show it when its product is gone. */
export interface CartLine {
  readonly id: string;
  readonly product_id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly quantity: number;
  /** When the line was last written. */
  readonly unit_price: number;
}

export const LIMITS = {
  linesMax: 200,
  quantityMax: 9_999,
  /** Pieces of a whole cart: with these no total leaves the range of exact amounts. */
  piecesMax: 99_999,
  /** The largest exact amount, in minor units. */
  amountMax: 999_999_999_999_999,
  /** A longer address of a picture is not kept with the line. */
  thumbnailCharactersMax: 512,
} as const;

/** How many pieces can be bought now; 0 of what is unknown, not published, or has no price. */
export const buyable = (offer: LineOffer | null | undefined): number =>
  offer?.is_active && offer.prices.length > 0 ? Math.max(0, offer.stock) : 0;

/** What one of so many pieces costs; null below the smallest quantity that has a price. */
export const unitPriceOf = ({ prices }: LineOffer, quantity: number): number | null =>
  prices.findLast(({ from }) => from <= quantity)?.unit_price ?? null;

/** The line as it is written now, of a quantity that is no shortage. The price is what the shopper sees from here on. */
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

export const pieces = (lines: readonly CartLine[]): number => lines.reduce((count, line) => count + line.quantity, 0);

/** The lines with some put in, in the place of those with the same id, and some taken out. */
export const replaced = (
  lines: readonly CartLine[],
  put: readonly CartLine[],
  out: readonly string[],
): readonly CartLine[] => {
  const kept = lines.filter(({ id }) => !out.includes(id)).map((line) => put.find(({ id }) => id === line.id) ?? line);
  return [...kept, ...put.filter(({ id }) => !lines.some((line) => line.id === id))];
};

/** Why a cart may not hold these lines; null when it may. */
export const tooMuch = (lines: readonly CartLine[]): Refusal | null => {
  if (lines.length > LIMITS.linesMax) return refuse('conflict', `A cart holds at most ${LIMITS.linesMax} items.`);
  if (lines.some(({ quantity }) => quantity > LIMITS.quantityMax)) {
    return refuse('invalid_request', `At most ${LIMITS.quantityMax} pieces of one item.`, { param: 'quantity' });
  }
  const worth = lines.reduce((amount, line) => amount + line.unit_price * line.quantity, 0);
  if (pieces(lines) > LIMITS.piecesMax || worth > LIMITS.amountMax) {
    return refuse('invalid_request', `A cart holds at most ${LIMITS.piecesMax} pieces.`, { param: 'quantity' });
  }
  return null;
};

/** Why so many pieces cannot be bought now; null when they can. */
export const shortage = (offer: LineOffer | null, quantity: number): Refusal | null => {
  const most = buyable(offer);
  const least = offer?.prices[0]?.from ?? 1;
  if (quantity <= most && quantity < least) {
    return refuse('invalid_request', `This item is sold from ${least} pieces on.`, { param: 'quantity' });
  }
  if (quantity <= most) return null;
  const message = most === 0 ? 'This item cannot be bought now.' : `Only ${most} can be bought now.`;
  const soldOut = offer?.is_active && offer.prices.length > 0 && most === 0 ? { causes: [offer.variant_id] } : {};
  return refuse('insufficient_stock', message, { param: 'quantity', details: `available: ${most}`, ...soldOut });
};
