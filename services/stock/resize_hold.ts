// Changes the quantities of all lines of a pending hold, or of none.
import type { HoldStockResponse, ResizedLine, ResizeHoldRequest } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, notFound, type Refusal } from '#runtime/call/call.ts';
import type { StockCatalogue } from './catalogue.ts';
import { accepted, type Lines, refusalIn, type StockAnswers, shortage } from './line.ts';
import { type StockCommand, UNKNOWN_LEVEL } from './stock.ts';

export type ResizeHold = (
  actors: Actors,
  call: Call,
  input: ResizeHoldRequest,
) => Promise<(Omit<HoldStockResponse, 'revision'> & { readonly answers: StockAnswers }) | Refusal>;

export const openResizeHold =
  (lines: Lines, catalogue: StockCatalogue): ResizeHold =>
  async (actors, call, { hold_id, lines: input, expires_at }) => {
    const hold = hold_id.toLowerCase();
    const requested = input.map((line) => ({ ...line, variant_id: line.variant_id.toLowerCase() }));
    const levels = await catalogue.levels(
      call,
      requested.map(({ variant_id }) => variant_id),
    );
    const unknown = requested.findIndex(({ variant_id, quantity }) => quantity > 0 && !levels.has(variant_id));
    if (unknown >= 0) return notFound('variant', `lines[${unknown}].variant_id`);

    const resize = (
      changes: readonly ResizedLine[],
      quantityOf: (line: ResizedLine) => number,
    ): Promise<StockAnswers> => {
      const byId = new Map(changes.map((line) => [line.variant_id, line]));
      const commandFor = (id: string): StockCommand => ({
        type: 'Resize',
        hold,
        quantity: quantityOf(byId.get(id)!),
        expiresAt: Date.parse(expires_at),
        level: levels.get(id) ?? UNKNOWN_LEVEL,
      });
      return lines.send(actors, call, [...byId.keys()].sort(), hold, commandFor);
    };
    const isShort = (answers: StockAnswers): boolean =>
      refusalIn(answers) !== undefined || [...accepted(answers).values()].some((answer) => answer.hold === null);

    // Raises quantities before it lowers others, because only raising may be refused and is then undone.
    const more = requested.filter(({ before, quantity }) => quantity > before);
    const less = requested.filter(({ before, quantity }) => quantity < before);
    const raised = await resize(more, ({ quantity }) => quantity);
    if (isShort(raised)) {
      const held = more.filter(({ variant_id }) => accepted(raised).get(variant_id)?.hold);
      await resize(held, ({ before }) => before);
      return (
        refusalIn(raised) ??
        shortage(requested, (id) => {
          const answer = accepted(raised).get(id);
          if (!answer || answer.hold) return Number.POSITIVE_INFINITY;
          return answer.available + requested.find(({ variant_id }) => variant_id === id)!.before;
        })
      );
    }
    const lowered = await resize(less, ({ quantity }) => quantity);
    const refused = refusalIn(lowered);
    if (refused) return refused;
    return { hold_id: hold, expires_at, answers: new Map([...raised, ...lowered]) };
  };
