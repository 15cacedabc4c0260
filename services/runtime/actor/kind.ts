// What a kind of actor is: its pure core and the little that binds it to the host. Knows no clock, no random, no I/O.
import type { Refusal, Tenant } from '#runtime/call.ts';
import type { Event } from '#runtime/transaction.ts';

/** All that a decision may depend on beside the state and the command. */
export interface Context {
  readonly tenant: Tenant;
  /** The actor's own id within its tenant and kind. */
  readonly id: string;
  /** The tenant's clock, in ms since the epoch. */
  readonly now: number;
  /** Unique to the command and the same on each of its retries: the source of every id that it makes. */
  readonly commandId: string;
}

/** What a command leads to: facts to be written down, and what to answer once they are. */
export interface Decision<Fact, Answer> {
  readonly facts: readonly Fact[];
  readonly answer: Answer;
}

/**
 * One kind of actor. `Command` and `Fact` are JSON; the state is whatever `evolve` makes of the facts, and JSON as well,
 * since it is kept as a snapshot.
 */
export interface ActorKind<State, Command, Fact, Answer> {
  /** The noun, singular: `cart`. First part of every key. */
  readonly name: string;
  /** Before the first fact. */
  readonly initial: State;
  /** A refusal is a definite no: nothing is written. No facts: a read, answered once what it saw is durable. */
  decide(state: State, command: Command, context: Context): Decision<Fact, Answer> | Refusal;
  evolve(state: State, fact: Fact): State;
  /** When it wants to be told that time has come, in ms by the tenant's clock; null: never. */
  dueAt(state: State): number | null;
  /** The command that it is told then. */
  readonly due: Command;
  /** Whether nothing of it needs to be kept: its snapshot goes. */
  over(state: State): boolean;
  /** The specification's events that a fact causes, told from the state after it. */
  announce(state: State, fact: Fact, context: Context): readonly Event[];
}
