// Levels of which it is not sure yet that they crossed a line: an order has taken its pieces from what is on hand, and
// its hold, which goes a moment later, may still count them too.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';

/** A hold of an order that is committed is over by then; what still crosses the line has crossed it. */
const DOUBT_MS = 1_000;
/** What was not looked at again by then is gone. */
const FORGOTTEN_MS = 60_000;

/** `first`: shown from now on, told later. `again`: shown already, told later. */
type Doubt = 'none' | 'first' | 'again';

interface ShownLevel {
  readonly since: number;
  readonly onHand: number;
}

export class LevelDoubts {
  readonly #known = new Map<string, ShownLevel>();

  /** `realMs` is real time: a sandbox's may jump. */
  look(
    tenant: Tenant,
    { variant_id, on_hand: onHand }: { readonly variant_id: string; readonly on_hand: number },
    doubtful: boolean,
    realMs: number,
  ): Doubt {
    const key = `${tenantKey(tenant)}/${variant_id}`;
    const known = this.#known.get(key);
    this.#known.delete(key);
    if (!doubtful || (known && realMs - known.since >= DOUBT_MS)) return 'none';
    for (const [oldest, { since }] of this.#known) {
      if (realMs - since < FORGOTTEN_MS) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, { since: known?.since ?? realMs, onHand });
    return known?.onHand === onHand ? 'again' : 'first';
  }
}
