// The lines of a hold: sends commands to the actors of their variants and collects the answers.
import type { HeldLine, HoldName, HoldResponse } from '#proto/gen/stock.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, counted, Refusal, refuse } from '#runtime/call/call.ts';
import type { StockKind } from './actor.ts';
import type { StockAnswer, StockCommand, StockLevel } from './stock.ts';

export type StockAnswers = ReadonlyMap<string, StockAnswer | Refusal>;
export type StockActors = Pick<Actors, 'tell'>;

export interface HoldShare {
  readonly hold: string;
  readonly holder?: string | undefined;
}

export interface Lines {
  /**
   * Sends the commands concurrently and calls `onAnswer` for each answer. If one fails, throws after all have ended.
   */
  send(
    actors: StockActors,
    call: Call,
    variantIds: readonly string[],
    holdId: string,
    commandFor: (variantId: string) => StockCommand,
    onAnswer?: (variantId: string, answer: StockAnswer | Refusal) => void,
  ): Promise<StockAnswers>;
  read(
    actors: StockActors,
    call: Call,
    variantIds: readonly string[],
    levels: ReadonlyMap<string, StockLevel>,
  ): Promise<ReadonlyMap<string, StockAnswer>>;
  release(actors: StockActors, call: Call, variantIds: readonly string[], released: HoldShare): Promise<StockAnswers>;
  /**
   * Tries to release the lines of an incomplete hold; a line whose release fails expires later. `released.holder` limits
   * the release to that holder's share.
   */
  tryRelease(actors: StockActors, call: Call, variantIds: readonly string[], released: HoldShare): Promise<void>;
}

export const openLines = (kind: StockKind): Lines => {
  const send: Lines['send'] = async (actors, call, variantIds, holdId, commandFor, onAnswer = () => {}) => {
    const outcomes = await Promise.allSettled(
      variantIds.map(async (id) => {
        const answer = await actors.tell(kind, call.tenant, id, commandFor(id), {
          commandId: holdId,
          deadline: call.deadline,
          trace: call.trace,
        });
        onAnswer(id, answer);
        return [id, answer] as const;
      }),
    );
    const answers = new Map<string, StockAnswer | Refusal>();
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      answers.set(...outcome.value);
    }
    return answers;
  };

  const release: Lines['release'] = (actors, call, variantIds, { hold, holder }) =>
    send(actors, call, variantIds, hold, () => ({ type: 'Release', hold, holder }));

  return {
    send,
    release,
    read: async (actors, call, variantIds, levels) =>
      accepted(await send(actors, call, variantIds, '', (id) => ({ type: 'Look', level: levels.get(id)! }))),
    tryRelease: async (actors, call, variantIds, released) => {
      await release(actors, call, variantIds, released).catch(() => {});
    },
  };
};

export const accepted = (answers: StockAnswers): ReadonlyMap<string, StockAnswer> =>
  new Map([...answers].flatMap(([id, answer]) => (answer instanceof Refusal ? [] : [[id, answer] as const])));

export const refusalIn = (answers: StockAnswers): Refusal | undefined =>
  [...answers.values()].find((answer) => answer instanceof Refusal);

export const normalizedHold = ({
  hold_id,
  variant_ids,
}: HoldName): { readonly hold: string; readonly ids: string[] } => ({
  hold: hold_id.toLowerCase(),
  ids: [...new Set(variant_ids.map((id) => id.toLowerCase()))].sort(),
});

const lineOf = (variant_id: string, answer: StockAnswer | Refusal): HeldLine => ({
  variant_id,
  status: answer instanceof Refusal ? 'none' : (answer.hold?.status ?? 'none'),
});

export const holdResponse = (hold_id: string, answers: StockAnswers, revision: number): HoldResponse => ({
  hold_id,
  lines: Array.from(answers, ([id, answer]) => lineOf(id, answer)),
  revision,
});

/** Refuses if a line is short: `details` names each short line, `param` the first. */
export const shortage = (
  lines: readonly { readonly variant_id: string; readonly quantity: number }[],
  availableOf: (variantId: string) => number,
): Refusal => {
  const short = lines.filter(({ variant_id, quantity }) => quantity > availableOf(variant_id));
  const first = short[0];
  if (!first) return refuse('insufficient_stock', 'The hold would have expired already. Send a later `expires_at`.');
  const details = short.map(
    ({ variant_id, quantity }) => `${variant_id}: ${quantity} wanted, ${availableOf(variant_id)} available`,
  );
  const outOfStock = [...new Set(short.map(({ variant_id }) => variant_id))].filter((id) => availableOf(id) === 0);
  const { variant_id, quantity } = first;
  const available = availableOf(variant_id);
  const message = `Only ${counted(available, 'unit')} of variant ${variant_id} can be sold, not ${quantity}. Send a lower quantity.`;
  return refuse('insufficient_stock', message, {
    param: `lines[${lines.indexOf(first)}].quantity`,
    details: details.join('; '),
    ...(outOfStock.length > 0 ? { causes: outOfStock } : {}),
  });
};
