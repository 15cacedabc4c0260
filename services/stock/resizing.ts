// Another quantity of what is held already: all lines or none.
import type { HoldStockResponse, ResizedLine, ResizeHoldRequest } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, notFound, type Refusal } from '#runtime/call/call.ts';
import type { StockCatalogue } from './catalogue.ts';
import { answered, type Lines, refusalIn, type StockAnswers, shortage } from './line.ts';
import { NO_LEVEL, type StockCommand } from './stock.ts';

export type Resizing = (
  actors: Actors,
  call: Call,
  input: ResizeHoldRequest,
) => Promise<(Omit<HoldStockResponse, 'revision'> & { readonly answers: StockAnswers }) | Refusal>;

export const openResizing =
  (lines: Lines, catalogue: StockCatalogue): Resizing =>
  async (actors, call, { hold_id, lines: given, expires_at }) => {
    const hold = hold_id.toLowerCase();
    const wanted = given.map((line) => ({ ...line, variant_id: line.variant_id.toLowerCase() }));
    const levels = await catalogue.levels(
      call,
      wanted.map(({ variant_id }) => variant_id),
    );
    const unknown = wanted.findIndex(({ variant_id, quantity }) => quantity > 0 && !levels.has(variant_id));
    if (unknown >= 0) return notFound('variant', `lines[${unknown}].variant_id`);

    const resize = (
      changes: readonly ResizedLine[],
      quantityOf: (line: ResizedLine) => number,
    ): Promise<StockAnswers> => {
      const byId = new Map(changes.map((line) => [line.variant_id, line]));
      const make = (id: string): StockCommand => ({
        type: 'Resize',
        hold,
        quantity: quantityOf(byId.get(id)!),
        expiresAt: Date.parse(expires_at),
        level: levels.get(id) ?? NO_LEVEL,
      });
      return lines.tell(actors, call, [...byId.keys()].sort(), hold, make);
    };
    const isShort = (answers: StockAnswers): boolean =>
      refusalIn(answers) !== undefined || [...answered(answers).values()].some((answer) => answer.hold === null);

    // What is more may be refused, and is given back then; what is less never is.
    const more = wanted.filter(({ before, quantity }) => quantity > before);
    const less = wanted.filter(({ before, quantity }) => quantity < before);
    const raised = await resize(more, ({ quantity }) => quantity);
    if (isShort(raised)) {
      const held = more.filter(({ variant_id }) => answered(raised).get(variant_id)?.hold);
      await resize(held, ({ before }) => before);
      return (
        refusalIn(raised) ??
        shortage(wanted, (id) => {
          const answer = answered(raised).get(id);
          if (!answer || answer.hold) return Number.POSITIVE_INFINITY;
          return answer.available + wanted.find(({ variant_id }) => variant_id === id)!.before;
        })
      );
    }
    const lowered = await resize(less, ({ quantity }) => quantity);
    const refused = refusalIn(lowered);
    if (refused) return refused;
    return { hold_id: hold, expires_at, answers: new Map([...raised, ...lowered]) };
  };
