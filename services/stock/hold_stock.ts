// Holds all lines of a request, or none.
import type { HoldStockRequest, HoldStockResponse, StockLine } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { pastTime } from '#services/commerce/shared_refusal.ts';
import type { StockCatalogue } from './catalogue.ts';
import { accepted, type Lines, refusalIn, type StockAnswers, shortage } from './line.ts';
import type { StockAnswer, StockCommand, StockLevel } from './stock.ts';

export type HoldStock = (
  actors: Actors,
  call: Call,
  input: HoldStockRequest,
) => Promise<(Omit<HoldStockResponse, 'revision'> & { readonly answers: StockAnswers }) | Refusal>;

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

export const openHoldStock = (
  lines: Lines,
  { clock }: Pick<Runtime, 'clock'>,
  catalogue: StockCatalogue,
): HoldStock => {
  const shortageOf = async (
    actors: Actors,
    call: Call,
    requested: readonly StockLine[],
    answers: StockAnswers,
    levels: ReadonlyMap<string, StockLevel>,
  ): Promise<Refusal> => {
    const quantities = quantitiesOf(requested);
    const rest = [...quantities.keys()].filter((id) => !answers.has(id)).sort();
    const stock = new Map([...accepted(answers), ...(await lines.read(actors, call, rest, levels))]);
    const totals = requested.map(({ variant_id }) => {
      const id = variant_id.toLowerCase();
      return { variant_id: id, quantity: quantities.get(id)! };
    });
    return shortage(totals, (id) => {
      const answer = stock.get(id);
      // The units of this hold were released, so they are available again.
      return answer ? answer.available + (answer.hold?.quantity ?? 0) : Number.POSITIVE_INFINITY;
    });
  };

  return async (actors, call, { hold_id, lines: requested, expires_at, holder }) => {
    const hold = hold_id.toLowerCase();
    const expiresAt = Date.parse(expires_at);
    if (expiresAt <= clock.now(call.tenant).getTime()) return pastTime('expires_at', expires_at);
    const quantities = quantitiesOf(requested);
    const ids = [...quantities.keys()].sort();
    const levels = await catalogue.levels(call, ids);
    const unknown = requested.findIndex(({ variant_id }) => !levels.has(variant_id.toLowerCase()));
    if (unknown >= 0) return notFound('variant', `lines[${unknown}].variant_id`);

    const commandFor = (id: string): StockCommand => ({
      type: 'Hold',
      hold,
      quantity: quantities.get(id)!,
      expiresAt,
      level: levels.get(id)!,
      holder,
    });
    const held: string[] = [];
    const onAnswer = (id: string, answer: StockAnswer | Refusal): void => {
      if (!(answer instanceof Refusal) && answer.hold && (holder || answer.hold.isNew)) held.push(id);
    };
    let answers: StockAnswers;
    try {
      // Holds the first variant before the others, so that of two concurrent requests for the same variants one gets
      // all units, instead of each a part.
      answers = await lines.send(actors, call, ids.slice(0, 1), hold, commandFor, onAnswer);
      if (ids.length > 1 && areHeld(answers))
        answers = new Map([...answers, ...(await lines.send(actors, call, ids.slice(1), hold, commandFor, onAnswer))]);
    } catch (problem) {
      await lines.tryRelease(actors, call, held, { hold, holder });
      throw problem;
    }
    if (!areHeld(answers)) {
      await lines.tryRelease(actors, call, held, { hold, holder });
      return refusalIn(answers) ?? shortageOf(actors, call, requested, answers, levels);
    }
    const until = Math.min(...[...accepted(answers).values()].map((answer) => answer.hold!.until));
    return { hold_id: hold, expires_at: new Date(until).toISOString(), answers };
  };
};
