// The rpc handlers of stock: holds of many lines, each line a command to its variant's actor.
import type { HoldStockRequest, LookAtStockRequest, ResizeHoldRequest, StockRpcs } from '#proto/gen/stock.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { openHoldStock } from './hold_stock.ts';
import { accepted, holdResponse, normalizedHold, openLines, refusalIn, type StockAnswers } from './line.ts';
import { openResizeHold } from './resize_hold.ts';
import { type StockAnswer, UNKNOWN_LEVEL } from './stock.ts';

/** A read has no effect, so an unknown outcome of it may be retried. */
const failRead = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

/**
 * Steps in which an order allocates stock
 *
 * 1. `HoldStock` under a new hold id: all lines or none, durable in the actors' journal. Holds expire without a call.
 * 2. `PinHold`: from here on no line expires during the payment. A hold of one line may be pinned in step 1.
 * 3. One Postgres transaction of the order: a decision row whose unique key is the hold id, and for each line, in the order
 *    of variant ids, `on_hand` lowered and `allocated` raised. The check `on_hand >= 0` is the last guard against
 *    overselling. This transaction alone decides.
 * 4. `CommitHolds` for all holds of the transaction, as often as needed. Each line's actor gets the present level of
 *    Postgres, which is without the units of these holds. With `settle` readers see it from the returned revision on.
 *
 * A caller that does not reach 3, or is refused there, calls `ReleaseHold`. Concurrent calls under one hold id name
 * themselves as its owners in 1 and here, and the hold lasts until each has released it. A cancelled order raises `on_hand`
 * in its own transaction and makes no call: the next hold brings the new level to the actor.
 *
 * After a crash
 * - in or after 1, lines are pending: each expires, or a repetition of the call finds it.
 * - in or after 2 and before 3, lines are pinned. After a minute their actors ask (`HoldDecisions`): the decision `aborted`
 *   is written, a late transaction fails on its key, and the lines are released.
 * - in 3, the same question finds `committed`, or writes `aborted`.
 * - after 3, lines are pinned and `on_hand` is lower already. The actor counts these units as uncommitted and offers
 *   the rest. The order's outbox repeats 4; failing that, the question finds `committed` and does the same.
 * - of the actors' host, the journal has every fact that was answered. A call with an unknown outcome is repeated under the
 *   same hold id; a hold that has ended, or was released before it was created, is never created again.
 */
export const stockHandlers = (
  kind: StockKind,
  { actors: hosted, clock }: Pick<Runtime, 'actors' | 'clock'>,
  catalogue: StockCatalogue,
): Handlers<StockRpcs> => {
  const lines = openLines(kind);
  const hold = openHoldStock(lines, { clock }, catalogue);
  const resize = openResizeHold(lines, catalogue);

  const settled = async (call: Call, answers: StockAnswers, wanted = false): Promise<number> =>
    wanted ? catalogue.settle(call, accepted(answers)) : 0;

  const readStock = async (
    call: Call,
    { variant_ids }: LookAtStockRequest,
  ): Promise<ReadonlyMap<string, StockAnswer>> => {
    const ids = [...new Set(variant_ids.map((id) => id.toLowerCase()))];
    const levels = await catalogue.levels(call, ids);
    const known = ids.filter((id) => levels.has(id));
    return lines.read(hosted, call, known, levels).catch(failRead);
  };

  return {
    HoldStock: command(async (actors, call, input: HoldStockRequest) => {
      const held = await hold(actors, call, input);
      if (held instanceof Refusal) return held;
      const { answers, ...shown } = held;
      return { ...shown, revision: await settled(call, answers, input.settle) };
    }),

    ResizeHold: command(async (actors, call, input: ResizeHoldRequest) => {
      const resized = await resize(actors, call, input);
      if (resized instanceof Refusal) return resized;
      const { answers, ...shown } = resized;
      return { ...shown, revision: await settled(call, answers, input.settle) };
    }),

    PinHold: command(async (actors, call, input) => {
      const { hold: id, ids } = normalizedHold(input.hold);
      const answers = await lines.send(actors, call, ids, id, () => ({ type: 'Pin', hold: id }));
      const refused = refusalIn(answers);
      if (refused) {
        await lines.tryRelease(actors, call, ids, { hold: id });
        return refused;
      }
      return holdResponse(id, answers, await settled(call, answers, input.settle));
    }),

    CommitHolds: command(async (actors, call, { holds, settle }) => {
      const holdsOf = new Map<string, string[]>();
      for (const { hold: id, ids } of holds.map(normalizedHold))
        for (const variant of ids) {
          const holds = holdsOf.get(variant);
          if (holds) holds.push(id);
          else holdsOf.set(variant, [id]);
        }
      const ids = [...holdsOf.keys()];
      const levels = await catalogue.storedLevels(call, ids);
      const answers = await lines.send(actors, call, ids, holds[0]!.hold_id, (id) => ({
        type: 'Commit',
        holds: holdsOf.get(id)!,
        level: levels.get(id) ?? UNKNOWN_LEVEL,
      }));
      return { revision: await settled(call, answers, settle) };
    }),

    ReleaseHold: command(async (actors, call, input) => {
      const { hold: id, ids } = normalizedHold(input.hold);
      const answers = await lines.release(actors, call, ids, { hold: id, owner: input.owner });
      return refusalIn(answers) ?? holdResponse(id, answers, await settled(call, answers, input.settle));
    }),

    ShowStock: command(async (_actors, call, input) => ({
      revision: await settled(call, await readStock(call, input), true),
    })),

    LookAtStock: read(async (call, input: LookAtStockRequest) => ({
      levels: Array.from(await readStock(call, input), ([variant_id, { onHand, held, available }]) => ({
        variant_id,
        on_hand: onHand,
        held,
        available,
      })),
    })),
  };
};
