// Calls that come while others of their kind and tenant are in a transaction go into the next one together: of many who
// want the same row each would wait for the commit of the one before, and a commit for many costs what it costs for one.
// No call waits for company: the first to come goes alone.
import { Refusal, refuse, type TenantKey } from '#runtime/call/call.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import type { PreparedCall, Staged } from '#runtime/domain/rpc.ts';
import type { Answer } from '#runtime/link/frame.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import { claimNewKeys, storeAnswers } from '#runtime/postgres/idempotency.ts';
import { failpoint } from '#runtime/process/failpoint.ts';

/** Longer transactions keep their locks longer than they save commits. */
const GROUP_MAX = 50;

/** Rolls back: no caller is told. */
const NOT_GROUPABLE = refuse('conflict', 'Each has to go alone.');

type Group = NonNullable<Staged<unknown, unknown, unknown>['group']>;

interface Entry extends PreparedCall<unknown, unknown> {
  /** In a transaction of its own, which says why where it cannot be. */
  readonly alone: () => Promise<Answer>;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (problem: unknown) => void;
}

export class GroupCommit {
  readonly #postgres: Postgres;
  readonly #answered: (reply: unknown) => Answer;
  /** Who waits, by tenant and operation; an empty subject is not there. */
  readonly #commits = new Map<TenantKey, Entry[]>();

  constructor(postgres: Postgres, answered: (reply: unknown) => Answer) {
    this.#postgres = postgres;
    this.#answered = answered;
  }

  enter(
    subject: TenantKey,
    together: Group,
    prepared: PreparedCall<unknown, unknown>,
    alone: Entry['alone'],
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const entry = { ...prepared, alone, resolve, reject };
    const waiting = this.#commits.get(subject);
    if (waiting) waiting.push(entry);
    else void this.#drive(subject, together, entry);
    return promise;
  }

  async #drive(subject: TenantKey, together: Group, first: Entry): Promise<void> {
    const waiting: Entry[] = [];
    this.#commits.set(subject, waiting);
    for (let group = [first]; group.length > 0; group = waiting.splice(0, GROUP_MAX))
      // What follows a commit keeps no call out of the next transaction.
      await new Promise<void>((over) => void this.#commit(together, group, over).finally(over));
    this.#commits.delete(subject);
  }

  /** Answers all of them; where they cannot be one transaction, or it failed before its commit, each goes alone. */
  async #commit(together: Group, group: readonly Entry[], committed: () => void): Promise<void> {
    let answers: readonly Answer[] | null = null;
    try {
      answers = await this.#transaction(together, group, committed);
    } catch (problem) {
      if (problem instanceof UnknownOutcome) {
        for (const { reject } of group) reject(problem);
        return;
      }
    }
    for (const [at, { resolve, alone }] of group.entries()) resolve(answers?.[at] ?? alone());
  }

  async #transaction(
    together: Group,
    group: readonly Entry[],
    committed: () => void,
  ): Promise<readonly Answer[] | null> {
    const calls = group.map(({ call }) => call);
    const { tenant } = calls[0]!;
    const decide = async (tx: Transaction): Promise<readonly Answer[] | Refusal> => {
      if (!(await claimNewKeys(tx, calls))) return NOT_GROUPABLE;
      tx.afterCommit(() => {
        failpoint('commit', tenant.store);
        committed();
      });
      const replies = await together.run(tx, group);
      if (replies === null) return NOT_GROUPABLE;
      const answers = replies.map(this.#answered);
      storeAnswers(
        tx,
        calls,
        answers.map(({ body }) => body),
      );
      failpoint('transaction', tenant.store);
      return answers;
    };
    // Each waits by itself for a sandbox that is being reset: in line here those who come second would wait twice.
    const outcome = await this.#postgres.transaction(decide, tenant, true);
    failpoint('reply', tenant.store);
    return outcome instanceof Refusal ? null : outcome;
  }
}
