// Holding many lines: all of them or none.
import type { HoldStockRequest, HoldStockResponse, StockLine } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StockCatalogue } from './catalogue.ts';
import { answered, type Lines, refusalIn, type StockAnswers, shortage } from './line.ts';
import type { StockAnswer, StockCommand, StockLevel } from './stock.ts';

export type HoldStock = (
  actors: Actors,
  call: Call,
  input: HoldStockRequest,
) => Promise<(Omit<HoldStockResponse, 'revision'> & { readonly answers: StockAnswers }) | Refusal>;

/** How many pieces of each variant; one that is named twice counts as one line. */
const quantitiesOf = (lines: readonly StockLine[]): ReadonlyMap<string, number> => {
  const quantities = new Map<string, number>();
  for (const { variant_id, quantity } of lines) {
    const id = variant_id.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
};

const isHeld = (answer: StockAnswer | Refusal): boolean => !(answer instanceof Refusal) && answer.hold !== null;
const areHeld = (answers: StockAnswers): boolean => [...answers.values()].every(isHeld);

export const openHolding = (lines: Lines, { clock }: Pick<Runtime, 'clock'>, catalogue: StockCatalogue): HoldStock => {
  /** Which lines are short; those that were not asked yet are looked at. */
  const shortageOf = async (
    actors: Actors,
    call: Call,
    wanted: readonly StockLine[],
    answers: StockAnswers,
    levels: ReadonlyMap<string, StockLevel>,
  ): Promise<Refusal> => {
    const quantities = quantitiesOf(wanted);
    const rest = [...quantities.keys()].filter((id) => !answers.has(id)).sort();
    const known = new Map([...answered(answers), ...(await lines.look(actors, call, rest, levels))]);
    const whole = wanted.map(({ variant_id }) => {
      const id = variant_id.toLowerCase();
      return { variant_id: id, quantity: quantities.get(id)! };
    });
    return shortage(whole, (id) => {
      const answer = known.get(id);
      // What this hold itself had of it was let go.
      return answer ? answer.available + (answer.hold?.quantity ?? 0) : Number.POSITIVE_INFINITY;
    });
  };

  return async (actors, call, { hold_id, lines: wanted, expires_at, pin = false, owner }) => {
    const hold = hold_id.toLowerCase();
    const expiresAt = Date.parse(expires_at);
    if (expiresAt <= clock.now(call.tenant).getTime())
      return refuse('invalid_request', '`expires_at` is over.', { param: 'expires_at' });
    const quantities = quantitiesOf(wanted);
    const ids = [...quantities.keys()].sort();
    const levels = await catalogue.levels(call, ids);
    const unknown = wanted.findIndex(({ variant_id }) => !levels.has(variant_id.toLowerCase()));
    if (unknown >= 0) return notFound('variant', `lines[${unknown}].variant_id`);

    const make = (id: string): StockCommand => ({
      type: 'Hold',
      hold,
      quantity: quantities.get(id)!,
      expiresAt,
      level: levels.get(id)!,
      pins: pin,
      owner,
    });
    const taken: string[] = [];
    const hear = (id: string, answer: StockAnswer | Refusal): void => {
      if (!(answer instanceof Refusal) && answer.hold && (owner || answer.hold.isNew)) taken.push(id);
    };
    let answers: StockAnswers;
    try {
      // The first by itself: of two who want the same variants one gets all of them, instead of each a part.
      answers = await lines.tell(actors, call, ids.slice(0, 1), hold, make, hear);
      if (ids.length > 1 && areHeld(answers))
        answers = new Map([...answers, ...(await lines.tell(actors, call, ids.slice(1), hold, make, hear))]);
    } catch (problem) {
      await lines.letGo(actors, call, taken, { hold, owner });
      throw problem;
    }
    if (!areHeld(answers)) {
      await lines.letGo(actors, call, taken, { hold, owner });
      return refusalIn(answers) ?? shortageOf(actors, call, wanted, answers, levels);
    }
    const until = Math.min(...[...answered(answers).values()].map((answer) => answer.hold!.until));
    return { hold_id: hold, expires_at: new Date(until).toISOString(), answers };
  };
};
