// Outcomes of a sign-in step that commit although the call is refused: a rollback would undo the count of failures.
import { Refusal } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

interface CommittedRefusal {
  readonly refused: Refusal;
}

export type Outcome<T> = { readonly done: T } | CommittedRefusal;

export const committed = (refused: Refusal): CommittedRefusal => ({ refused });

/** Runs a transaction that commits even where its outcome is a refusal, unless `run` returns the refusal itself. */
export const runToOutcome = async <T>(
  { postgres }: Pick<Runtime, 'postgres'>,
  run: (tx: Transaction) => Promise<Outcome<T> | Refusal>,
): Promise<T | Refusal> => {
  const outcome = await postgres.transaction(run);
  if (outcome instanceof Refusal) return outcome;
  return 'refused' in outcome ? outcome.refused : outcome.done;
};
