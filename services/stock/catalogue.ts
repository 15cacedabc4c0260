// The stock domain's client of the catalogue: reads levels, and passes on held units so that readers see them.
import type { LevelsByIdsResponse } from '#proto/gen/stock.ts';
import type { Call, Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockAnswer, StockLevel } from './stock.ts';

export interface StockCatalogue {
  /** Reads the catalogue's memory: fast, for holding units. A level may be some transactions old. */
  levels(call: Call, variantIds: readonly string[]): Promise<ReadonlyMap<string, StockLevel>>;
  /** Reads Postgres, for commits: the level must contain the units that the order has just allocated. */
  storedLevels(call: Call, variantIds: readonly string[]): Promise<ReadonlyMap<string, StockLevel>>;
  /** Returns the catalogue revision that includes the held units; 0 if `SETTLE_TIMEOUT_MS` pass first. */
  settle(
    call: Call,
    answers: ReadonlyMap<string, Pick<StockAnswer, 'held' | 'seq' | 'committedUnits'>>,
  ): Promise<number>;
  settleSoon(tenant: Tenant): void;
}

const SETTLE_TIMEOUT_MS = 2_000;

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
      const levels = Array.from(answers, ([variant_id, { held, seq, committedUnits }]) => ({
        variant_id,
        held,
        seq,
        committed: committedUnits,
      }));
      const settling = askOrThrow(
        'StockDirectory/SettleLevels',
        { tenant, deadline, requestId, trace },
        { levels },
      ).then(
        ({ revision }) => revision,
        (problem) => {
          log.debug({ err: problem }, 'failed to settle held units now');
          return 0;
        },
      );
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<number>((resolve) => {
        timer = setTimeout(() => resolve(0), SETTLE_TIMEOUT_MS);
      });
      return Promise.race([settling, patience]).finally(() => clearTimeout(timer));
    },
    settleSoon(tenant) {
      askDetached('StockDirectory/SettleLevels', { tenant }, { levels: [] }).catch((problem) =>
        log.debug({ err: problem }, 'failed to notify the catalogue of held units'),
      );
    },
  };
};
