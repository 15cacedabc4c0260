// The stock that stands behind a checkout intent: held as long as the intent lives.
import { randomUUID } from 'node:crypto';
import type { CreateCheckoutIntentRequest } from '#proto/gen/agent.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { HoldName, ResizedLine } from '#proto/gen/stock.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { mapStoredLineRefusal } from '#services/commerce/stored_line.ts';
import { MAJOR_MAX } from '#values/money.ts';
import type { IntentOffer } from './offer.ts';

interface Resizing {
  readonly before: IntentOffer;
  readonly after: IntentOffer;
  readonly expiresAt: Date;
}

interface Raising extends Resizing {
  /** As the body names them; undefined: it names none. */
  readonly items: readonly OrderItemRequest[] | undefined;
}

export interface IntentHold {
  readonly hold: string;
  /** This try, which may share the hold with others of its key. */
  readonly owner: string;
  /** Earlier than was asked where a try before a crash took it. */
  readonly expiresAt: Date;
}

export interface IntentHolds {
  /** The next call is shown what is left. Refused as a whole where a line is short. */
  take(call: Call, offer: IntentOffer, expiresAt: Date): Promise<IntentHold | Refusal>;
  /** What another offer, of these items, has more is held, too; refused as `take` is, with nothing changed. */
  raise(call: Call, id: string, change: Raising): Promise<Refusal | null>;
  /** What another offer has less is let go. */
  lower(call: Pick<Call, 'tenant'>, id: string, change: Resizing): Promise<void>;
  /** What another offer has nothing of is let go: of an intent that is over the rest was let go, or sold. */
  drop(call: Pick<Call, 'tenant'>, id: string, change: Resizing): Promise<void>;
  /**
   * The caller's next question shows what was raised and lowered. Never in a transaction: this takes a connection, and
   * those that wait for the intent may have all of them.
   */
  show(call: Pick<Call, 'tenant'>, before: IntentOffer, after: IntentOffer): Promise<void>;
  /** The hold of an intent that is over. */
  release(call: Pick<Call, 'tenant'>, id: string, offer: IntentOffer): Promise<void>;
  /** What a try took that came to nothing: other tries have their part in it still. */
  giveBack(call: Pick<Call, 'tenant'>, taken: IntentHold, offer: IntentOffer): Promise<void>;
}

/** Nothing is kept from others for what no order could be placed of. */
const tooDear = ({ priced }: IntentOffer): Refusal | null =>
  priced.total > MAJOR_MAX
    ? refuse('invalid_request', 'The total of an order is at most 99,999,999.99. Order less at once.', {
        param: 'items',
      })
    : null;

/** Under one key: each try that was given back, or wanted another quantity, has one. */
const HOLDS_MAX = 20;

export const openIntentHolds = ({ ask, askDetached }: DomainClient): IntentHolds => {
  const resize = async (
    call: Pick<Call, 'tenant'>,
    hold_id: string,
    { before, after, expiresAt }: Resizing,
    concerns: (line: ResizedLine) => boolean,
  ): Promise<void> => {
    const lines = changedLines(before, after).filter(concerns);
    if (lines.length > 0)
      await askDetached('Stock/ResizeHold', call, { hold_id, lines, expires_at: expiresAt.toISOString() });
  };
  return {
    take: async (call, offer, expiresAt) => {
      const unpayable = tooDear(offer);
      if (unpayable) return unpayable;
      const command = commandIdOf(call);
      const owner = randomUUID();
      // What a try before a crash may have taken is found by a retry, which gives them the same names.
      for (let count = 0; count < HOLDS_MAX; count++) {
        const id = derivedId(command, `hold ${count}`);
        const held = await ask('Stock/HoldStock', call, {
          hold_id: id,
          lines: offer.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
          expires_at: expiresAt.toISOString(),
          settle: true,
          owner,
        });
        if (!(held instanceof Refusal)) {
          const until = new Date(held.expires_at);
          return { hold: id, owner, expiresAt: until < expiresAt ? until : expiresAt };
        }
        if (held.code !== 'conflict') return held;
      }
      return refuse('conflict', 'This Idempotency-Key was tried too often. Use another one.', { retryAfterS: 60 });
    },
    raise: async (call, id, { before, after, items, expiresAt }) => {
      const unpayable = tooDear(after);
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
    lower: (call, id, change) => resize(call, id, change, (line) => !isMore(line)),
    drop: (call, id, change) => resize(call, id, change, ({ quantity }) => quantity === 0),
    show: async (call, before, after) => {
      const variants = changedLines(before, after).map(({ variant_id }) => variant_id);
      if (variants.length > 0) await askDetached('Stock/ShowStock', call, { variant_ids: variants });
    },
    release: (call, id, offer) => askDetached('Stock/ReleaseHold', call, { hold: nameOf(id, offer), settle: true }),
    giveBack: (call, { hold, owner }, offer) =>
      askDetached('Stock/ReleaseHold', call, { hold: nameOf(hold, offer), settle: true, owner }),
  };
};

const nameOf = (hold_id: string, { priced }: IntentOffer): HoldName => ({
  hold_id,
  variant_ids: priced.lines.map(({ variant_id }) => variant_id),
});

const quantitiesOf = ({ priced }: IntentOffer): ReadonlyMap<string, number> =>
  new Map(priced.lines.map(({ variant_id, quantity }) => [variant_id, quantity]));

/** Variants of which one offer wants another number than the other. */
const changedLines = (before: IntentOffer, after: IntentOffer): ResizedLine[] => {
  const [from, to] = [quantitiesOf(before), quantitiesOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((variant_id) => ({ variant_id, before: from.get(variant_id) ?? 0, quantity: to.get(variant_id) ?? 0 }))
    .filter((line) => line.before !== line.quantity);
};

const isMore = ({ before, quantity }: ResizedLine): boolean => quantity > before;

/** Whether an offer has less of anything than the one before it. */
export const isLess = (before: IntentOffer, after: IntentOffer): boolean =>
  changedLines(before, after).some((line) => !isMore(line));

/** A hold speaks of its own lines: where the body names the one that is too many, for the first time. */
const itemAt = (
  items: readonly OrderItemRequest[] | undefined,
  lines: readonly { readonly variant_id: string }[],
  param: string,
): string => {
  const variant = lines[Number(/\d+/.exec(param)?.[0])]?.variant_id;
  const at = items?.findIndex(({ variant_id }) => variant_id.toLowerCase() === variant) ?? -1;
  return at < 0 ? 'items' : `items[${at}].quantity`;
};

/** The same of a new hold, which may be of a quote's or a cart's items. */
export const asWished = (
  { items, quote_id }: CreateCheckoutIntentRequest,
  { priced }: IntentOffer,
  obstacle: Refusal,
): Refusal => {
  if (items) return renamed(obstacle, (param) => itemAt(items, priced.lines, param));
  const source = quote_id ? 'quote_id' : 'cart_draft_id';
  return renamed(mapStoredLineRefusal(obstacle, priced.lines, source), () => source);
};
