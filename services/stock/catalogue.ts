// What this domain asks the catalogue: what is on hand, and to show what is held.
import type { LevelsByIdsResponse } from '#proto/gen/stock.ts';
import type { Call, Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockAnswer, StockLevel } from './stock.ts';

export interface StockCatalogue {
  /** As the catalogue's memory has them; unknown variants are left out. */
  levels(call: Call, variantIds: readonly string[]): Promise<ReadonlyMap<string, StockLevel>>;
  /** As of the last transaction. */
  storedLevels(
    call: Pick<Call, 'tenant' | 'deadline'>,
    variantIds: readonly string[],
  ): Promise<ReadonlyMap<string, StockLevel>>;
  /**
   * Has what is held shown by every answer from the returned revision on. It is shown in a moment anyway, so no caller waits
   * long for it: 0 where it took too long.
   */
  settle(call: Call, answers: ReadonlyMap<string, Pick<StockAnswer, 'held' | 'seq' | 'committed'>>): Promise<number>;
  /** Tells it that something waits to be taken in. */
  nudge(tenant: Tenant): void;
}

const PATIENCE_MS = 2_000;

export const openCatalogue = ({ ask, log }: Pick<Runtime, 'ask' | 'log'>): StockCatalogue => {
  const { askOrThrow, askDetached } = openDomainClient({ ask });
  const levelsOf = ({ levels }: LevelsByIdsResponse): ReadonlyMap<string, StockLevel> =>
    new Map(
      levels.map(({ variant_id, on_hand: onHand, version, allocated }) => [variant_id, { onHand, version, allocated }]),
    );

  return {
    levels: async (call, variantIds) =>
      levelsOf(await askOrThrow('StockDirectory/LevelsByIds', call, { variant_ids: variantIds })),
    storedLevels: async (call, variantIds) =>
      levelsOf(await askOrThrow('StockDirectory/StoredLevels', call, { variant_ids: variantIds })),
    async settle({ tenant, deadline, requestId, trace }, answers) {
      const levels = Array.from(answers, ([variant_id, { held, seq, committed }]) => ({
        variant_id,
        held,
        seq,
        committed: committed,
      }));
      const settling = askOrThrow(
        'StockDirectory/SettleLevels',
        { tenant, deadline, requestId, trace },
        { levels },
      ).then(
        ({ revision }) => revision,
        (problem) => {
          log.debug({ err: problem }, 'what is held is shown a little later');
          return 0;
        },
      );
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<number>((resolve) => {
        timer = setTimeout(() => resolve(0), PATIENCE_MS);
      });
      return Promise.race([settling, patience]).finally(() => clearTimeout(timer));
    },
    nudge(tenant) {
      askDetached('StockDirectory/SettleLevels', { tenant }, { levels: [] }).catch((problem) =>
        log.debug({ err: problem }, 'the catalogue will find by itself what is held'),
      );
    },
  };
};
