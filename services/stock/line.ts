// The lines of a hold, each with its variant's actor: told together, and their answers read together.
import type { HeldLine, HoldName, HoldResponse } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import type { StockKind } from './actor.ts';
import type { StockAnswer, StockCommand, StockLevel } from './stock.ts';

export type StockAnswers = ReadonlyMap<string, StockAnswer | Refusal>;
export type StockActors = Pick<Actors, 'tell'>;

/** By whom it is let go; undefined: for all who took it. */
export interface HoldPart {
  readonly hold: string;
  readonly owner?: string | undefined;
}

export interface Lines {
  /** Each variant's answer; throws once all have answered if one did not. `hear` is told of each as it comes. */
  tell(
    actors: StockActors,
    call: Call,
    variantIds: readonly string[],
    holdId: string,
    make: (variantId: string) => StockCommand,
    hear?: (variantId: string, answer: StockAnswer | Refusal) => void,
  ): Promise<StockAnswers>;
  /** Takes nothing. Who refuses to answer is left out. */
  look(
    actors: StockActors,
    call: Call,
    variantIds: readonly string[],
    levels: ReadonlyMap<string, StockLevel>,
  ): Promise<ReadonlyMap<string, StockAnswer>>;
  release(actors: StockActors, call: Call, variantIds: readonly string[], taken: HoldPart): Promise<StockAnswers>;
  /**
   * What was held of a hold that cannot be whole; what cannot be released now expires. Of a call that says again what
   * another one may have been told by now, only the lines that it began itself, or its taker's part in all.
   */
  letGo(actors: StockActors, call: Call, variantIds: readonly string[], taken: HoldPart): Promise<void>;
}

export const openLines = (kind: StockKind): Lines => {
  const tell: Lines['tell'] = async (actors, call, variantIds, holdId, make, hear = () => {}) => {
    const told = await Promise.allSettled(
      variantIds.map(async (id) => {
        const answer = await actors.tell(kind, call.tenant, id, make(id), {
          commandId: holdId,
          deadline: call.deadline,
          trace: call.trace,
        });
        hear(id, answer);
        return [id, answer] as const;
      }),
    );
    const answers = new Map<string, StockAnswer | Refusal>();
    for (const outcome of told) {
      if (outcome.status === 'rejected') throw outcome.reason;
      answers.set(...outcome.value);
    }
    return answers;
  };

  const release: Lines['release'] = (actors, call, variantIds, { hold, owner }) =>
    tell(actors, call, variantIds, hold, () => ({ type: 'Release', hold, owner }));

  return {
    tell,
    release,
    look: async (actors, call, variantIds, levels) =>
      answered(await tell(actors, call, variantIds, '', (id) => ({ type: 'Look', level: levels.get(id)! }))),
    letGo: async (actors, call, variantIds, taken) => {
      await release(actors, call, variantIds, taken).catch(() => {});
    },
  };
};

/** Those that were not refused. */
export const answered = (answers: StockAnswers): ReadonlyMap<string, StockAnswer> =>
  new Map([...answers].flatMap(([id, answer]) => (answer instanceof Refusal ? [] : [[id, answer] as const])));

export const refusalIn = (answers: StockAnswers): Refusal | undefined =>
  [...answers.values()].find((answer) => answer instanceof Refusal);

/** A hold's name and its variants, each once and in the order of all. */
export const namedBy = ({ hold_id, variant_ids }: HoldName): { readonly hold: string; readonly ids: string[] } => ({
  hold: hold_id.toLowerCase(),
  ids: [...new Set(variant_ids.map((id) => id.toLowerCase()))].sort(),
});

const lineOf = (variant_id: string, answer: StockAnswer | Refusal): HeldLine => ({
  variant_id,
  status: answer instanceof Refusal ? 'none' : (answer.hold?.status ?? 'none'),
});

/** How the lines of a hold stand. */
export const standingOf = (hold_id: string, answers: StockAnswers, revision: number): HoldResponse => ({
  hold_id,
  lines: Array.from(answers, ([id, answer]) => lineOf(id, answer)),
  revision,
});

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
    ...(soldOut.length > 0 ? { causes: soldOut } : {}),
  });
};
