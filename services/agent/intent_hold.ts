// Holds stock for checkout intents while they are open.
import { randomUUID } from 'node:crypto';
import type { CreateCheckoutIntentRequest } from '#proto/gen/agent.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { HoldName, ResizedLine } from '#proto/gen/stock.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { excessiveTotal, mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import { MAJOR_MAX } from '#values/money.ts';
import type { IntentOffer } from './offer.ts';

interface HoldChange {
  readonly before: IntentOffer;
  readonly after: IntentOffer;
  readonly expiresAt: Date;
}

interface HoldIncrease extends HoldChange {
  readonly items: readonly OrderItemRequest[] | undefined;
}

export interface IntentHold {
  readonly hold: string;
  /** Id of this call; concurrent calls under one idempotency key share the hold. */
  readonly holder: string;
  /** Earlier than requested if an interrupted attempt created the hold. */
  readonly expiresAt: Date;
}

export interface IntentHolds {
  /** Holds all lines, or refuses if one is short. Readers see the hold when this returns. */
  hold(call: Call, offer: IntentOffer, expiresAt: Date): Promise<IntentHold | Refusal>;
  holdMore(call: Call, id: string, change: HoldIncrease): Promise<Refusal | null>;
  releaseLess(call: Pick<Call, 'tenant'>, id: string, change: HoldChange): Promise<void>;
  /**
   * Releases variants that are not in the new offer. Used for closed intents, whose other units are already released or
   * sold.
   */
  releaseRemoved(call: Pick<Call, 'tenant'>, id: string, change: HoldChange): Promise<void>;
  /**
   * Waits until readers see the changed holds. Must not be called in a transaction: it needs a connection, while
   * waiting transactions may use all.
   */
  show(call: Pick<Call, 'tenant'>, before: IntentOffer, after: IntentOffer): Promise<void>;
  release(call: Pick<Call, 'tenant'>, id: string, offer: IntentOffer): Promise<void>;
  /**
   * Ends this call's use of a hold for which it created no intent. Concurrent calls with the same idempotency key may
   * still use the hold.
   */
  releaseShare(call: Pick<Call, 'tenant'>, taken: IntentHold, offer: IntentOffer): Promise<void>;
}

const totalRefusal = ({ priced }: IntentOffer): Refusal | null =>
  priced.total > MAJOR_MAX ? excessiveTotal(priced.total, 'items') : null;

/** Holds tried under one idempotency key; a hold cannot be used again if it was released or has other quantities. */
const HOLDS_MAX = 20;

export const openIntentHolds = ({ ask, askDetached }: DomainClient): IntentHolds => {
  const resize = async (
    call: Pick<Call, 'tenant'>,
    hold_id: string,
    { before, after, expiresAt }: HoldChange,
    concerns: (line: ResizedLine) => boolean,
  ): Promise<void> => {
    const lines = changedLines(before, after).filter(concerns);
    if (lines.length > 0)
      await askDetached('Stock/ResizeHold', call, { hold_id, lines, expires_at: expiresAt.toISOString() });
  };
  return {
    hold: async (call, offer, expiresAt) => {
      const unpayable = totalRefusal(offer);
      if (unpayable) return unpayable;
      const command = commandIdOf(call);
      // The ids are derived from the key, so that a retry finds the hold of an interrupted attempt.
      const holder = randomUUID();
      for (let count = 0; count < HOLDS_MAX; count++) {
        const id = derivedId(command, `hold ${count}`);
        const held = await ask('Stock/HoldStock', call, {
          hold_id: id,
          lines: offer.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
          expires_at: expiresAt.toISOString(),
          settle: true,
          holder,
        });
        if (!(held instanceof Refusal)) {
          const until = new Date(held.expires_at);
          return { hold: id, holder, expiresAt: until < expiresAt ? until : expiresAt };
        }
        if (held.code !== 'conflict') return held;
      }
      return refuse('conflict', `This Idempotency-Key was tried ${HOLDS_MAX} times without a hold. Use a new key.`, {
        retryAfterS: 60,
      });
    },
    holdMore: async (call, id, { before, after, items, expiresAt }) => {
      const unpayable = totalRefusal(after);
      if (unpayable) return unpayable;
      const lines = changedLines(before, after).filter(isMore);
      if (lines.length === 0) return null;
      const held = await ask('Stock/ResizeHold', call, {
        hold_id: id,
        lines,
        expires_at: expiresAt.toISOString(),
      });
      return held instanceof Refusal ? renamed(held, (param) => itemAt(items, lines, param)) : null;
    },
    releaseLess: (call, id, change) => resize(call, id, change, (line) => !isMore(line)),
    releaseRemoved: (call, id, change) => resize(call, id, change, ({ quantity }) => quantity === 0),
    show: async (call, before, after) => {
      const variants = changedLines(before, after).map(({ variant_id }) => variant_id);
      if (variants.length > 0) await askDetached('Stock/ShowStock', call, { variant_ids: variants });
    },
    release: (call, id, offer) => askDetached('Stock/ReleaseHold', call, { hold: nameOf(id, offer), settle: true }),
    releaseShare: (call, { hold, holder }, offer) =>
      askDetached('Stock/ReleaseHold', call, { hold: nameOf(hold, offer), settle: true, holder }),
  };
};

const nameOf = (hold_id: string, { priced }: IntentOffer): HoldName => ({
  hold_id,
  variant_ids: priced.lines.map(({ variant_id }) => variant_id),
});

const quantitiesOf = ({ priced }: IntentOffer): ReadonlyMap<string, number> =>
  new Map(priced.lines.map(({ variant_id, quantity }) => [variant_id, quantity]));

const changedLines = (before: IntentOffer, after: IntentOffer): ResizedLine[] => {
  const [from, to] = [quantitiesOf(before), quantitiesOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((variant_id) => ({ variant_id, before: from.get(variant_id) ?? 0, quantity: to.get(variant_id) ?? 0 }))
    .filter((line) => line.before !== line.quantity);
};

const isMore = ({ before, quantity }: ResizedLine): boolean => quantity > before;

export const isLess = (before: IntentOffer, after: IntentOffer): boolean =>
  changedLines(before, after).some((line) => !isMore(line));

const itemAt = (
  items: readonly OrderItemRequest[] | undefined,
  lines: readonly { readonly variant_id: string }[],
  param: string,
): string => {
  const variant = lines[Number(/\d+/.exec(param)?.[0])]?.variant_id;
  const at = items?.findIndex(({ variant_id }) => variant_id.toLowerCase() === variant) ?? -1;
  return at < 0 ? 'items' : `items[${at}].quantity`;
};

export const mapHoldRefusal = (
  { items, quote_id }: CreateCheckoutIntentRequest,
  { priced }: IntentOffer,
  obstacle: Refusal,
): Refusal => {
  if (items) return renamed(obstacle, (param) => itemAt(items, priced.lines, param));
  const source = quote_id ? 'quote_id' : 'cart_draft_id';
  return renamed(mapStoredLineRefusal(obstacle, priced.lines, source), () => source);
};
