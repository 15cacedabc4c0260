// The rpc handlers of stock. A hold has many lines; each line is a command to its variant's actor.

import type { HoldStockRequest, LookAtStockRequest, ResizeHoldRequest, StockRpcs } from '#proto/gen/stock.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { openHoldStock } from './hold_stock.ts';
import { accepted, holdResponse, normalizedHold, openLines, refusalIn, type StockAnswers } from './line.ts';
import { openResizeHold } from './resize_hold.ts';
import { type StockAnswer, UNKNOWN_LEVEL } from './stock.ts';

/**
 * An order allocates stock in three steps.
 * 1. `HoldStock` holds all lines or none, under a new hold id. The actors' journal stores the holds, which expire after many
 *    times the deadline of a call. A checkout intent holds its lines at its creation, and its order skips this step.
 * 2. The order's Postgres transaction lowers `on_hand` of each line, in the order of variant ids, and raises `allocated`. This
 *    transaction alone decides. The check `on_hand >= 0` is the guard against overselling, also if the hold has expired.
 * 3. `CommitHolds` ends the holds and may be repeated. The actor of each line receives the current level, from which the
 *    units are deducted. With `settle` readers see the level from the returned revision on.
 *
 * A caller that does not reach step 2, or is refused there, calls `ReleaseHold`. Concurrent calls may share a hold id.
 * Each then names itself as a holder in step 1, and the hold lasts until all holders have released it. A cancelled order
 * raises `on_hand` in its own transaction; the next `HoldStock` brings the new level to the actor.
 *
 * If the caller crashes before step 2, a retry uses the lines, or they expire. After step 2 the actor counts the units as
 * uncommitted and offers the rest, until the inbox of `order.created` repeats step 3.
 *
 * After a crash of the actors' host the journal has every answered fact. A call with an unknown outcome is repeated under
 * the same hold id. A hold that has ended, or was released before it was created, is never created again.
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
    return lines.read(hosted, call, known, levels).catch(rethrowRetryable);
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
      const answers = await lines.release(actors, call, ids, { hold: id, holder: input.holder });
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
