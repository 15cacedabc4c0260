// An interaction: the actions of one session on one product.
import { createHash } from 'node:crypto';

/** Bits, because a session may combine several actions on one product. */
export const ACTIONS = { view: 1, add_to_cart: 2, add_to_wishlist: 4, order: 8 } as const;
export const PURCHASE_INTENT = ACTIONS.add_to_cart | ACTIONS.order;

export type Channel = 'storefront' | 'marketplace';

export const isChannel = (text: string): text is Channel => text === 'storefront' || text === 'marketplace';

export interface ProductInteraction {
  readonly session: Uint8Array;
  readonly product: string;
  readonly actions: number;
  readonly customer: string | null;
  readonly verified: boolean;
  readonly channel: Channel;
  readonly seenAt: Date;
}

const SESSION_BYTES = 16;

/** Digests a session's name. Includes the kind, so that no name sent by a caller can equal an order's. */
export const sessionOf = (kind: 'session' | 'customer' | 'order' | 'unnamed', name: string): Uint8Array =>
  createHash('sha256').update(`${kind}/${name}`).digest().subarray(0, SESSION_BYTES);

export const mergeInteractions = (interactions: readonly ProductInteraction[]): ProductInteraction[] => {
  const byKey = new Map<string, ProductInteraction>();
  for (const next of interactions) {
    const key = `${Buffer.from(next.session).toString('hex')}/${next.product}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known
        ? {
            ...known,
            actions: known.actions | next.actions,
            customer: next.customer ?? known.customer,
            verified: next.customer === null ? known.verified : next.verified,
            seenAt: new Date(Math.max(next.seenAt.getTime(), known.seenAt.getTime())),
          }
        : next,
    );
  }
  // Sorts by key, so that two transactions lock the same rows in the same order.
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, interaction]) => interaction);
};
