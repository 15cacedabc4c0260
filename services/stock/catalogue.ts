// What this domain asks the catalogue: what is on hand, and to show what is held.
import type { LevelsByIdsResponse, SettleLevelsResponse } from '#proto/gen/stock.ts';
import { type Call, Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Level, StockAnswer } from './stock.ts';

export interface Catalogue {
  /** As the catalogue's memory has them; unknown variants are left out. */
  levels(call: Call, variantIds: readonly string[]): Promise<ReadonlyMap<string, Level>>;
  /** As of the last transaction. */
  storedLevels(
    call: Pick<Call, 'tenant' | 'deadline'>,
    variantIds: readonly string[],
  ): Promise<ReadonlyMap<string, Level>>;
  /**
   * Has what is held shown by every answer from the returned revision on. It is shown in a moment anyway, so nobody waits
   * long for it: 0 where it took too long.
   */
  settle(call: Call, answers: ReadonlyMap<string, Pick<StockAnswer, 'held' | 'seq'>>): Promise<number>;
  /** Tells it that something waits to be taken in. */
  nudge(tenant: Tenant): void;
}

const PATIENCE_MS = 2_000;

export const openCatalogue = ({ ask, log }: Pick<Foundation, 'ask' | 'log'>): Catalogue => {
  const answerTo = async <O>(rpc: string, tenant: Tenant, input: unknown, call?: Partial<Call>): Promise<O> => {
    const reply = await ask<O>(rpc, tenant, input, { ...call, reads: true });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable(`${rpc} is not answered.`);
    return reply;
  };
  const levelsOf = async (
    rpc: string,
    tenant: Tenant,
    variantIds: readonly string[],
    call: Partial<Call>,
  ): Promise<ReadonlyMap<string, Level>> => {
    const { levels } = await answerTo<LevelsByIdsResponse>(rpc, tenant, { variant_ids: variantIds }, call);
    return new Map(levels.map(({ variant_id, on_hand, version }) => [variant_id, { onHand: on_hand, version }]));
  };

  return {
    levels: ({ tenant, deadline, requestId, trace, revisionMin }, variantIds) =>
      levelsOf('StockDirectory/LevelsByIds', tenant, variantIds, { deadline, requestId, trace, revisionMin }),
    storedLevels: ({ tenant, deadline }, variantIds) =>
      levelsOf('StockDirectory/StoredLevels', tenant, variantIds, { deadline }),
    async settle({ tenant, deadline, requestId, trace }, answers) {
      const levels = Array.from(answers, ([variant_id, { held, seq }]) => ({ variant_id, held, seq }));
      const settling = answerTo<SettleLevelsResponse>(
        'StockDirectory/SettleLevels',
        tenant,
        { levels },
        { deadline, requestId, trace },
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
      answerTo('StockDirectory/SettleLevels', tenant, { levels: [] }).catch((problem) =>
        log.debug({ err: problem }, 'the catalogue will find by itself what is held'),
      );
    },
  };
};
