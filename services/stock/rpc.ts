// The door of stock, for the rest of the house: holds of many lines, each line with its variant's actor.
import type { HoldStockRequest, LookAtStockRequest, ResizeHoldRequest, StockRpcs } from '#proto/gen/stock.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import { openHolding } from './holding.ts';
import { answered, namedBy, openLines, refusalIn, type StockAnswers, standingOf } from './line.ts';
import { openResizing } from './resizing.ts';
import { NO_LEVEL, type StockAnswer } from './stock.ts';

/** Nothing comes of a look: whatever became of it, it may be asked for again. */
const lookFailed = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

/**
 * How something is sold, by the seller (orders):
 *
 * 1. `HoldStock` under a new hold id: all lines or none, durable in the actors' journal. They expire by themselves.
 * 2. `PinHold`: from here on no line expires under the payment. Who holds a single line lets 1 do this too.
 * 3. One Postgres transaction of the seller's own: a decision row whose unique key is the hold id, and for each line, in
 *    the order of the variants' ids, `update catalog.inventory set on_hand = on_hand - quantity`. The column's check is the
 *    last line against overselling; its trigger counts the row's version, and the pieces taken: nothing else than an order
 *    lowers a level without a revision of the catalogue. This transaction alone decides.
 * 4. `CommitHolds` after it, as often as needed, for all that the transaction sold. Each line's actor is given the level
 *    that Postgres has by then, which counts the pieces of all these holds. With `settle` every product answer from the returned
 *    revision on shows it.
 *
 * A caller that does not come to 3, or is refused there, calls `ReleaseHold`. Several that try the same at once, under one
 * hold id, each say as whom in 1 and here: what one of them lets go of is held as long as another has it. A cancelled order
 * raises `on_hand` in its own transaction and makes no call: the next hold brings the actor the new level. (`LookAtStock`
 * and `SettleLevels` show it.)
 *
 * What a crash leaves behind:
 * - in 1: some lines pending; they expire, or the same call said again finds them. They need not be remembered.
 * - after 1: the same.
 * - in or after 2, before 3: pinned lines. After a minute their actors ask (`HoldDecisions`): the seller's `abort` decision is
 *   written, a transaction that comes late fails on its key, the lines are released.
 * - in 3: Postgres knows. The same question finds `committed`, or writes `aborted`.
 * - after 3: the lines are still pinned and on hand is already lower. The actor knows by the pieces taken how many count
 *   twice, and offers all that there is. The seller's outbox repeats 4, and should it not, the question finds `committed`
 *   and does the same.
 * - the host of the actors: the journal has all that was answered. A call whose end is not known is said again under the
 *   same hold id; what has ended, or was let go before it began, never begins anew.
 */
export const stockHandlers = (
  kind: StockKind,
  { actors: hosted, clock }: Pick<Runtime, 'actors' | 'clock'>,
  catalogue: StockCatalogue,
): Handlers<StockRpcs> => {
  const lines = openLines(kind);
  const hold = openHolding(lines, { clock }, catalogue);
  const resize = openResizing(lines, catalogue);

  const settled = async (call: Call, answers: StockAnswers, wanted = false): Promise<number> =>
    wanted ? catalogue.settle(call, answered(answers)) : 0;

  const looked = async (call: Call, { variant_ids }: LookAtStockRequest): Promise<ReadonlyMap<string, StockAnswer>> => {
    const ids = [...new Set(variant_ids.map((id) => id.toLowerCase()))];
    const levels = await catalogue.levels(call, ids);
    const known = ids.filter((id) => levels.has(id));
    return lines.look(hosted, call, known, levels).catch(lookFailed);
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
      const { hold: id, ids } = namedBy(input.hold);
      const answers = await lines.tell(actors, call, ids, id, () => ({ type: 'Pin', hold: id }));
      const refused = refusalIn(answers);
      if (refused) {
        await lines.letGo(actors, call, ids, { hold: id });
        return refused;
      }
      return standingOf(id, answers, await settled(call, answers, input.settle));
    }),

    CommitHolds: command(async (actors, call, { holds: given, settle }) => {
      const holdsOf = new Map<string, string[]>();
      for (const { hold: id, ids } of given.map(namedBy))
        for (const variant of ids) {
          const holds = holdsOf.get(variant);
          if (holds) holds.push(id);
          else holdsOf.set(variant, [id]);
        }
      const ids = [...holdsOf.keys()];
      const levels = await catalogue.storedLevels(call, ids);
      const answers = await lines.tell(actors, call, ids, given[0]!.hold_id, (id) => ({
        type: 'Commit',
        holds: holdsOf.get(id)!,
        level: levels.get(id) ?? NO_LEVEL,
      }));
      return { revision: await settled(call, answers, settle) };
    }),

    ReleaseHold: command(async (actors, call, input) => {
      const { hold: id, ids } = namedBy(input.hold);
      const answers = await lines.release(actors, call, ids, { hold: id, owner: input.owner });
      return refusalIn(answers) ?? standingOf(id, answers, await settled(call, answers, input.settle));
    }),

    ShowStock: command(async (_actors, call, input) => ({
      revision: await settled(call, await looked(call, input), true),
    })),

    LookAtStock: read(async (call, input: LookAtStockRequest) => ({
      levels: Array.from(await looked(call, input), ([variant_id, { onHand, held, available }]) => ({
        variant_id,
        on_hand: onHand,
        held,
        available,
      })),
    })),
  };
};
