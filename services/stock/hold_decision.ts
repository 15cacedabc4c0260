// Asks orders about pinned holds that await a decision, until each hold is committed or released.
import type { Actors } from '#runtime/actor/host.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { HoldsAwaitingDecision, StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { UNKNOWN_LEVEL } from './stock.ts';

/**
 * Asks the order domain whether a hold's order was placed. The order domain tries to insert the decision `aborted`
 * under the unique key that the order's transaction uses for `committed`: the first insert decides. `undecided` means
 * that no answer came: the hold stays pinned, and the actor asks again later.
 */
export interface HoldDecisions {
  of(tenant: Tenant, holdId: string): Promise<'aborted' | 'committed' | 'undecided'>;
}

export const orderDecisions = ({ ask }: Pick<Runtime, 'ask'>): HoldDecisions => ({
  async of(tenant, holdId) {
    const reply = await ask('OrderDecision/AbortHold', tenant, { hold_id: holdId });
    return reply instanceof Refusal ? 'undecided' : reply.decision;
  },
});

const COMMAND_TIMEOUT_MS = 5_000;
const ASKED_MAX = 10_000;

export interface DecisionRequester {
  request(decisionsDue: readonly HoldsAwaitingDecision[]): void;
}

export const openDecisionRequester = (
  kind: () => StockKind,
  { actors, clock, log }: { readonly actors: Actors; readonly clock: Clock; readonly log: Log },
  catalogue: StockCatalogue,
  decisions: HoldDecisions,
): DecisionRequester => {
  /** Time of the last question by hold: a snapshot is written more than once while a question is open. */
  const asked = new RecentMap<TenantKey, number>(ASKED_MAX);

  const settle = async (tenant: Tenant, variantId: string, hold: string): Promise<void> => {
    const decision = await decisions.of(tenant, hold);
    if (decision === 'undecided') return;
    const deadline = clock.real() + COMMAND_TIMEOUT_MS;
    const call = { commandId: hold, deadline };
    if (decision === 'aborted') {
      await actors.tell(kind(), tenant, variantId, { type: 'Release', hold }, call);
      return;
    }
    const level = (await catalogue.storedLevels({ tenant, deadline }, [variantId])).get(variantId);
    await actors.tell(
      kind(),
      tenant,
      variantId,
      { type: 'Commit', holds: [hold], level: level ?? UNKNOWN_LEVEL },
      call,
    );
  };

  return {
    request(decisionsDue) {
      for (const { tenant, variantId, holds, at } of decisionsDue)
        for (const hold of holds) {
          const key = tenantKey(tenant, `${variantId}/${hold}`);
          if ((asked.peek(key) ?? Number.NEGATIVE_INFINITY) >= at) continue;
          asked.set(key, at);
          settle(tenant, variantId, hold).catch((problem) =>
            log.debug({ err: problem, hold }, 'failed to resolve a pinned hold'),
          );
        }
    },
  };
};
