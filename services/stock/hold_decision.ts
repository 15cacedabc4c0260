// Resolves pinned holds in doubt: asks their orders until a decision commits or releases each hold.
import type { Actors } from '#runtime/actor/host.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { InDoubtHolds, StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { UNKNOWN_LEVEL } from './stock.ts';

/**
 * The domain that pins holds decides about them. Asked about one it tries to write the decision `aborted`, under the same
 * unique key under which its own transaction writes that it committed: the first to write decides. `undecided` means that
 * no answer was possible, so the hold stays pinned and the question is repeated.
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

export interface InDoubtResolver {
  resolve(decisionsDue: readonly InDoubtHolds[]): void;
}

export const openInDoubtResolver = (
  kind: () => StockKind,
  { actors, clock, log }: { readonly actors: Actors; readonly clock: Clock; readonly log: Log },
  catalogue: StockCatalogue,
  decisions: HoldDecisions,
): InDoubtResolver => {
  /** Time of the last question by hold: a snapshot is written more than once while a question is open. */
  const asked = new Map<TenantKey, number>();

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
    resolve(decisionsDue) {
      for (const { tenant, variantId, holds, at } of decisionsDue)
        for (const hold of holds) {
          const key = tenantKey(tenant, `${variantId}/${hold}`);
          if ((asked.get(key) ?? Number.NEGATIVE_INFINITY) >= at) continue;
          if (asked.size >= ASKED_MAX) asked.clear();
          asked.set(key, at);
          settle(tenant, variantId, hold).catch((problem) =>
            log.debug({ err: problem, hold }, 'failed to resolve a pinned hold'),
          );
        }
    },
  };
};
