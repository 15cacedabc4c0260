// What becomes of pinned holds whose order was never heard of again: they are asked about until it is decided.
import type { Actors } from '#runtime/actor/host.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Doubt, StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { NO_LEVEL } from './stock.ts';

/**
 * The domain that pins holds answers for them. Asked about one it tries to write the decision `abort`, under the same unique key
 * under which its own transaction writes that it committed: the first to write has decided, for good.
 *
 * `aborted`: no transaction can commit this hold any more. `committed`: one has. `open`: it cannot be said now, so the hold
 * stays pinned and is asked about again.
 */
export interface HoldDecisions {
  of(tenant: Tenant, holdId: string): Promise<'aborted' | 'committed' | 'open'>;
}

/** Orders decide; while none are hosted here nothing is decided. */
export const orderDecisions = ({ ask }: Pick<Runtime, 'ask'>): HoldDecisions => ({
  async of(tenant, holdId) {
    const reply = await ask('OrderDecision/AbortHold', tenant, { hold_id: holdId });
    return reply instanceof Refusal ? 'open' : reply.decision;
  },
});

const TELL_MS = 5_000;
const ASKED_MAX = 10_000;

export interface StockDoubts {
  ask(doubts: readonly Doubt[]): void;
}

export const openDoubts = (
  kind: () => StockKind,
  { actors, clock, log }: { readonly actors: Actors; readonly clock: Clock; readonly log: Log },
  catalogue: StockCatalogue,
  decisions: HoldDecisions,
): StockDoubts => {
  /** When each was asked about last: a snapshot is written more than once while a question is open. */
  const asked = new Map<TenantKey, number>();

  const settle = async (tenant: Tenant, variantId: string, hold: string): Promise<void> => {
    const decision = await decisions.of(tenant, hold);
    if (decision === 'open') return;
    const deadline = clock.real() + TELL_MS;
    const call = { commandId: hold, deadline };
    if (decision === 'aborted') {
      await actors.tell(kind(), tenant, variantId, { type: 'Release', hold }, call);
      return;
    }
    const level = (await catalogue.storedLevels({ tenant, deadline }, [variantId])).get(variantId);
    await actors.tell(kind(), tenant, variantId, { type: 'Commit', holds: [hold], level: level ?? NO_LEVEL }, call);
  };

  return {
    ask(doubts) {
      for (const { tenant, variantId, holds, at } of doubts)
        for (const hold of holds) {
          const key = tenantKey(tenant, `${variantId}/${hold}`);
          if ((asked.get(key) ?? Number.NEGATIVE_INFINITY) >= at) continue;
          if (asked.size >= ASKED_MAX) asked.clear();
          asked.set(key, at);
          settle(tenant, variantId, hold).catch((problem) =>
            log.debug({ err: problem, hold }, 'a pinned hold waits for its decision'),
          );
        }
    },
  };
};
