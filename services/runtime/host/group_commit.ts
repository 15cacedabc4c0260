// Groups calls of one rpc and tenant into one transaction, since one commit costs the same for many. Calls that arrive
// while a group commits form the next group; the first call starts at once.
import type { AuditedCall } from '#runtime/audit/audit.ts';
import { Refusal, refuse, type TenantKey } from '#runtime/call/call.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import type { PreparedCall, Staged } from '#runtime/domain/rpc.ts';
import type { Answer } from '#runtime/link/frame.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import { claimNewKeys, storeAnswers } from '#runtime/postgres/idempotency.ts';
import { failpoint } from '#runtime/process/failpoint.ts';

/** Maximum number of calls in a group. A longer transaction would hold locks longer than the saved commits take. */
const GROUP_MAX = 50;

const NOT_GROUPABLE = refuse('conflict', 'Each has to go alone.');

type Group = NonNullable<Staged<unknown, unknown, unknown>['group']>;

export interface Grouped extends PreparedCall<unknown, unknown> {
  readonly audited: AuditedCall | null;
}

interface Entry extends Grouped {
  readonly alone: () => Promise<Answer>;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (problem: unknown) => void;
}

export class GroupCommit {
  readonly #postgres: Postgres;
  readonly #answered: (reply: unknown) => Answer;
  readonly #commits = new Map<TenantKey, Entry[]>();

  constructor(postgres: Postgres, answered: (reply: unknown) => Answer) {
    this.#postgres = postgres;
    this.#answered = answered;
  }

  enter(subject: TenantKey, together: Group, prepared: Grouped, alone: Entry['alone']): Promise<Answer> {
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
      // The next group starts once this one has committed, without waiting for work after the commit.
      await new Promise<void>((over) => void this.#commit(together, group, over).finally(over));
    this.#commits.delete(subject);
  }

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
      for (const [at, { audited, call, input }] of group.entries()) audited?.add(tx, call, input, replies[at]);
      const answers = replies.map(this.#answered);
      storeAnswers(
        tx,
        calls,
        answers.map(({ body }) => body),
      );
      failpoint('transaction', tenant.store);
      return answers;
    };
    // Does not wait for a sandbox reset: each call waits alone afterwards, so the group's wait would come on top.
    const outcome = await this.#postgres.transaction(decide, tenant, true);
    failpoint('reply', tenant.store);
    return outcome instanceof Refusal ? null : outcome;
  }
}
