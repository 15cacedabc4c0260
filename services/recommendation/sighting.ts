// A sighting: a product that a session met, and what was done with it.
import { createHash } from 'node:crypto';

/** Bits: a session may do several of them with one product. */
export const DEEDS = { view: 1, add_to_cart: 2, add_to_wishlist: 4, order: 8 } as const;
/** What tells that products were wanted together. */
export const WANTED = DEEDS.add_to_cart | DEEDS.order;

export type Channel = 'storefront' | 'marketplace';

export const isChannel = (text: string): text is Channel => text === 'storefront' || text === 'marketplace';

export interface Sighting {
  readonly session: Uint8Array;
  readonly product: string;
  readonly deeds: number;
  readonly customer: string | null;
  /** Whether the store has such a customer. */
  readonly verified: boolean;
  readonly channel: Channel;
  readonly seenAt: Date;
}

const SESSION_BYTES = 16;

/** The kind comes first, so that no caller can name a browsing session as an order is named. */
export const sessionOf = (kind: 'session' | 'customer' | 'order' | 'unnamed', name: string): Uint8Array =>
  createHash('sha256').update(`${kind}/${name}`).digest().subarray(0, SESSION_BYTES);

/** One sighting a session and product: what was done is joined, who is known stays known. */
export const joined = (sightings: readonly Sighting[]): Sighting[] => {
  const byKey = new Map<string, Sighting>();
  for (const next of sightings) {
    const key = `${Buffer.from(next.session).toString('hex')}/${next.product}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known
        ? {
            ...known,
            deeds: known.deeds | next.deeds,
            customer: next.customer ?? known.customer,
            verified: next.customer === null ? known.verified : next.verified,
            seenAt: new Date(Math.max(next.seenAt.getTime(), known.seenAt.getTime())),
          }
        : next,
    );
  }
  // In one order everywhere, so that two who write the same rows wait for each other and no more.
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sighting]) => sighting);
};
