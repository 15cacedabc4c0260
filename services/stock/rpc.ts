// The door of stock, for the rest of the house: holds of many lines, each line with its variant's actor.
import type { HeldLine, HoldResponse, LookAtStockRequest, NameHoldRequest, StockRpcs } from '#proto/gen/stock.ts';
import type { ActorCall, Actors } from '#runtime/actor/host.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { command, type Handlers, read } from '#runtime/rpc.ts';
import type { StockKind } from './actor.ts';
import type { Catalogue } from './catalogue.ts';
import type { Level, StockAnswer, StockCommand } from './stock.ts';

type Answers = ReadonlyMap<string, StockAnswer | Refusal>;

/** Nothing comes of a look: whatever became of it, it may be asked for again. */
const lookFailed = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

/** Why a hold is refused: `details` tells each line that is short, `param` the first of them. */
export const shortage = (
  lines: readonly { readonly variant_id: string; readonly quantity: number }[],
  availableOf: (variantId: string) => number,
): Refusal => {
  const short = lines.filter(({ variant_id, quantity }) => quantity > availableOf(variant_id));
  const at = lines.indexOf(short[0]!);
  const details = short.map(
    ({ variant_id, quantity }) => `${variant_id}: ${quantity} wanted, ${availableOf(variant_id)} available`,
  );
  const soldOut = [...new Set(short.map(({ variant_id }) => variant_id))].filter((id) => availableOf(id) === 0);
  const message = 'There is not as much in stock.';
  return refuse('insufficient_stock', message, {
    param: `lines[${at}].quantity`,
    details: details.join('; '),
    ...(soldOut.length > 0 ? { soldOut } : {}),
  });
};

/**
 * How something is sold, by whoever sells (orders):
 *
 * 1. `HoldStock` under a new hold id: all lines or none, durable in the actors' journal. They expire by themselves.
 * 2. `PinHold`: from here on no line expires under the payment. Who holds a single line lets 1 do this too.
 * 3. One Postgres transaction of the seller's own: a decision row whose unique key is the hold id, and for each line, in
 *    the order of the variants' ids, `update catalog.inventory set on_hand = on_hand - quantity`. The column's check is the
 *    last line against overselling; its trigger counts the row's version. This transaction alone decides.
 * 4. `CommitHolds` after it, as often as needed, for all that the transaction sold. Each line's actor is given the level
 *    that Postgres has by then, so that the pieces leave what is on hand and what is held in one step. With `settle` every product answer from the returned
 *    revision on shows it.
 *
 * Whoever does not come to 3, or is refused there, calls `ReleaseHold`. A cancelled order raises `on_hand` in its own
 * transaction and calls nobody: the next hold brings the actor the new level. (`LookAtStock` and `SettleLevels` show it.)
 *
 * What a crash leaves behind:
 * - in 1: some lines pending; they expire, or the same call said again finds them. Nobody has to remember them.
 * - after 1: the same.
 * - in or after 2, before 3: pinned lines. After a minute their actors ask (`Verdicts`): the seller's `abort` decision is
 *   written, a transaction that comes late fails on its key, the lines are released.
 * - in 3: Postgres knows. The same question finds `committed`, or writes `aborted`.
 * - after 3: the lines are still pinned and on hand is already lower, so that less is offered than there is, never more;
 *   the seller's outbox repeats 4, and should it not, the question finds `committed` and does the same.
 * - the host of the actors: the journal has all that was answered. A call whose end nobody heard is said again under the
 *   same hold id; what has ended never begins anew.
 */
export const stockHandlers = (
  kind: StockKind,
  { actors: hosted, clock }: Pick<Foundation, 'actors' | 'clock'>,
  catalogue: Catalogue,
): Handlers<StockRpcs> => {
  const callOf = ({ deadline }: Call, commandId: string): ActorCall => ({ commandId, deadline });

  /** Each variant's answer; throws once all have answered if one did not. */
  const tellEach = async (
    actors: Pick<Actors, 'tell'>,
    call: Call,
    variantIds: readonly string[],
    holdId: string,
    make: (variantId: string) => StockCommand,
    hear: (variantId: string, answer: StockAnswer | Refusal) => void = () => {},
  ): Promise<Answers> => {
    const told = await Promise.allSettled(
      variantIds.map(async (id) => {
        const answer = await actors.tell(kind, call.tenant, id, make(id), callOf(call, holdId));
        hear(id, answer);
        return answer;
      }),
    );
    const lost = told.find((outcome) => outcome.status === 'rejected');
    if (lost) throw lost.reason;
    return new Map(
      told.flatMap((outcome, at) =>
        outcome.status === 'fulfilled' ? [[variantIds[at]!, outcome.value] as const] : [],
      ),
    );
  };

  const lookAt = async (
    actors: Pick<Actors, 'tell'>,
    call: Call,
    variantIds: readonly string[],
    levels: ReadonlyMap<string, Level>,
  ): Promise<ReadonlyMap<string, StockAnswer>> => {
    const answers = await tellEach(actors, call, variantIds, '', (id) => ({ type: 'Look', level: levels.get(id)! }));
    return new Map([...answers].flatMap(([id, answer]) => (answer instanceof Refusal ? [] : [[id, answer] as const])));
  };

  const settled = async (call: Call, answers: Answers, wanted = false): Promise<number> => {
    if (!wanted) return 0;
    const known = Array.from(answers).flatMap(([id, answer]) =>
      answer instanceof Refusal ? [] : [[id, answer] as const],
    );
    return catalogue.settle(call, new Map(known));
  };

  const release = (actors: Actors, call: Call, variantIds: readonly string[], hold: string): Promise<Answers> =>
    tellEach(actors, call, variantIds, hold, () => ({ type: 'Release', hold }));

  /**
   * What was held of a hold that cannot be whole; what cannot be released now expires. Of a call that says again what
   * another one may have been told by now, only the lines that it began itself.
   */
  const letGo = async (actors: Actors, call: Call, variantIds: readonly string[], hold: string): Promise<void> => {
    await release(actors, call, variantIds, hold).catch(() => {});
  };

  const refusalIn = (answers: Answers): Refusal | undefined =>
    [...answers.values()].find((answer) => answer instanceof Refusal);

  const lineOf = (variant_id: string, answer: StockAnswer | Refusal | undefined): HeldLine => ({
    variant_id,
    status: answer instanceof Refusal ? 'none' : (answer?.hold?.status ?? 'none'),
  });

  const named = ({
    hold_id,
    variant_ids,
  }: Pick<NameHoldRequest, 'hold_id' | 'variant_ids'>): { hold: string; ids: string[] } => ({
    hold: hold_id.toLowerCase(),
    ids: [...new Set(variant_ids.map((id) => id.toLowerCase()))].sort(),
  });

  const held = (hold_id: string, answers: Answers, revision: number): HoldResponse => ({
    hold_id,
    lines: Array.from(answers, ([id, answer]) => lineOf(id, answer)),
    revision,
  });

  return {
    HoldStock: command(async (actors, call, { hold_id, lines: given, expires_at, settle, pin = false }) => {
      const hold = hold_id.toLowerCase();
      const expiresAt = Date.parse(expires_at);
      if (expiresAt <= clock.now(call.tenant).getTime()) {
        return refuse('invalid_request', '`expires_at` is over.', { param: 'expires_at' });
      }
      const quantities = new Map<string, number>();
      for (const { variant_id, quantity } of given) {
        const id = variant_id.toLowerCase();
        quantities.set(id, (quantities.get(id) ?? 0) + quantity);
      }
      const ids = [...quantities.keys()].sort();
      const levels = await catalogue.levels(call, ids);
      const unknown = given.findIndex(({ variant_id }) => !levels.has(variant_id.toLowerCase()));
      if (unknown >= 0) return notFound('variant', `lines[${unknown}].variant_id`);

      const make = (id: string): StockCommand => ({
        type: 'Hold',
        hold,
        quantity: quantities.get(id)!,
        expiresAt,
        level: levels.get(id)!,
        pins: pin,
      });
      const isShort = (answer: StockAnswer | Refusal): boolean => !(answer instanceof Refusal) && answer.hold === null;
      // The first by itself: of two who want the same variants one gets all of them, instead of each a part.
      let answers: Answers;
      const begun: string[] = [];
      const hear = (id: string, answer: StockAnswer | Refusal): void => {
        if (!(answer instanceof Refusal) && answer.hold?.isNew) begun.push(id);
      };
      try {
        answers = await tellEach(actors, call, ids.slice(0, 1), hold, make, hear);
        if (![...answers.values()].some((answer) => answer instanceof Refusal || isShort(answer)) && ids.length > 1)
          answers = new Map([...answers, ...(await tellEach(actors, call, ids.slice(1), hold, make, hear))]);
      } catch (problem) {
        await letGo(actors, call, begun, hold);
        throw problem;
      }
      const refused = refusalIn(answers);
      if (refused || [...answers.values()].some(isShort)) {
        await letGo(actors, call, begun, hold);
        if (refused) return refused;
        const rest = ids.filter((id) => !answers.has(id));
        const looked = await lookAt(actors, call, rest, levels);
        const wanted = given.map(({ variant_id }) => variant_id.toLowerCase());
        const lines = wanted.map((id) => ({ variant_id: id, quantity: quantities.get(id)! }));
        return shortage(lines, (id) => {
          const answer = answers.get(id) ?? looked.get(id);
          if (!answer || answer instanceof Refusal) return Number.POSITIVE_INFINITY;
          // What this hold itself had of it was let go.
          return answer.available + (answer.hold?.quantity ?? 0);
        });
      }
      const until = Math.min(...[...answers.values()].map((answer) => (answer as StockAnswer).hold!.until));
      const revision = await settled(call, answers, settle);
      return { hold_id: hold, expires_at: new Date(until).toISOString(), revision };
    }),

    PinHold: command(async (actors, call, input) => {
      const { hold, ids } = named(input);
      const answers = await tellEach(actors, call, ids, hold, () => ({ type: 'Pin', hold }));
      const refused = refusalIn(answers);
      if (refused) {
        await letGo(actors, call, ids, hold);
        return refused;
      }
      return held(hold, answers, await settled(call, answers, input.settle));
    }),

    CommitHolds: command(async (actors, call, { holds: given, settle }) => {
      const holdsOf = new Map<string, string[]>();
      for (const { hold, ids } of given.map(named))
        for (const id of ids) {
          const holds = holdsOf.get(id);
          if (holds) holds.push(hold);
          else holdsOf.set(id, [hold]);
        }
      const ids = [...holdsOf.keys()];
      const levels = await catalogue.storedLevels(call, ids);
      const nothing: Level = { onHand: 0, version: 0 };
      const answers = await tellEach(actors, call, ids, given[0]!.hold_id, (id) => ({
        type: 'Commit',
        holds: holdsOf.get(id)!,
        level: levels.get(id) ?? nothing,
      }));
      return { revision: await settled(call, answers, settle) };
    }),

    ReleaseHold: command(async (actors, call, input) => {
      const { hold, ids } = named(input);
      const answers = await release(actors, call, ids, hold);
      return refusalIn(answers) ?? held(hold, answers, await settled(call, answers, input.settle));
    }),

    LookAtStock: read(async (call, { variant_ids }: LookAtStockRequest) => {
      const ids = [...new Set(variant_ids.map((id) => id.toLowerCase()))];
      const levels = await catalogue.levels(call, ids);
      const known = ids.filter((id) => levels.has(id));
      const looked = await lookAt(hosted, call, known, levels).catch(lookFailed);
      return {
        levels: Array.from(looked, ([variant_id, { onHand, held, available }]) => ({
          variant_id,
          on_hand: onHand,
          held,
          available,
        })),
      };
    }),
  };
};
