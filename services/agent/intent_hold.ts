// The stock that stands behind a checkout intent: held as long as the intent lives.
import type { CreateCheckoutIntentRequest } from '#proto/gen/agent.ts';
import { type Call, Refusal } from '#runtime/call.ts';
import type { Inquiry } from '#runtime/inquiry.ts';
import type { Offer } from './offer.ts';

export interface IntentHolds {
  /** Whoever asks next is shown what is left. Refused as a whole where a line is short; `conflict` where it has ended. */
  take(call: Call, id: string, offer: Offer, expiresAt: Date): Promise<Refusal | null>;
  release(call: Pick<Call, 'tenant'>, id: string, offer: Offer): Promise<void>;
}

export const openIntentHolds = ({ ask, tell }: Inquiry): IntentHolds => ({
  take: async (call, id, { priced }, expiresAt) => {
    const held = await ask('Stock/HoldStock', call, {
      hold_id: id,
      lines: priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
      expires_at: expiresAt.toISOString(),
      settle: true,
    });
    return held instanceof Refusal ? held : null;
  },
  release: (call, id, { priced }) =>
    tell('Stock/ReleaseHold', call, {
      hold: { hold_id: id, variant_ids: priced.lines.map(({ variant_id }) => variant_id) },
      settle: true,
    }),
});

/** A hold speaks of the offer's lines: where the body names the line that is too many. */
export const wishedAt = (input: CreateCheckoutIntentRequest, { priced }: Offer, param: string): string => {
  if (!input.items) return input.quote_id ? 'quote_id' : 'cart_draft_id';
  const variant = priced.lines[Number(/\d+/.exec(param)?.[0])]?.variant_id;
  const at = input.items.findIndex(({ variant_id }) => variant_id.toLowerCase() === variant);
  return at < 0 ? 'items' : `items[${at}].quantity`;
};
