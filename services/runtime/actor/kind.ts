// What a kind of actor is: its pure core and the little that binds it to the host. Knows no clock, no random, no I/O.
import type { Refusal, Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

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
export interface Decision<Fact, Answer, State = never> {
  readonly facts: readonly Fact[];
  readonly answer: Answer;
  /** What `evolve` makes of the facts, where deciding has made it anyway. */
  readonly state?: State;
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
  decide(state: State, command: Command, context: Context): Decision<Fact, Answer, State> | Refusal;
  evolve(state: State, fact: Fact): State;
  /** The same of many facts, where the states in between. */
  evolveAll?(state: State, facts: readonly Fact[]): State;
  /** When it wants to be told that time has come, in ms by the tenant's clock; null: never. */
  dueAt(state: State): number | null;
  /** The command that it is told then. */
  readonly due: Command;
  /** Whether nothing of it needs to be kept: its snapshot goes. */
  isDisposable(state: State): boolean;
  /**
   * When all of it counts for nothing any more, in ms by the tenant's clock; null: never. From then on its snapshot may
   * be thrown away without a word, so whatever is told to it then must come to the same with the state it starts from.
   * A million of them cost one statement, where as many alarms would cost a million commands.
   */
  expiresAt?(state: State): number | null;
  /** The specification's events that a fact causes, told from the state after it; none where it is left out. */
  announce?(state: State, fact: Fact, context: Context): readonly Event[];
  /**
   * Of its snapshots: 1 unless it says otherwise. A release reads the next format before one writes it, so that the release before
   * can always go on from what it finds.
   */
  readonly format?: number;
  /** The state as JSON in one line, where that of its snapshot is another than its own, and back. */
  write?(state: State): string;
  read?(text: string): State;
  /**
   * What else Postgres is told of the states, in one transaction with their snapshots: each actor that changed, as of its
   * last durable fact. The partition waits for it, so it must not wait for a lock.
   */
  project?(tx: Transaction, changed: readonly ProjectedActor<State>[]): Promise<void>;
}

/** What the host writes among an actor's facts where its sandbox is reset: from here on it is as if it had never been. */
export const FORGOTTEN = null;

// biome-ignore lint/suspicious/noExplicitAny: kinds of every state, command, fact and answer
export type AnyKind = ActorKind<any, any, any, any>;

export const evolveFact = (kind: AnyKind, state: unknown, fact: unknown): unknown =>
  fact === FORGOTTEN ? kind.initial : kind.evolve(state, fact);

/** As the log has them: once it is forgotten, what was before counts no more. */
export const evolveFacts = (kind: AnyKind, state: unknown, facts: readonly unknown[]): unknown => {
  const forgotten = facts.lastIndexOf(FORGOTTEN) + 1;
  const from = forgotten === 0 ? state : kind.initial;
  const rest = forgotten === 0 ? facts : facts.slice(forgotten);
  return kind.evolveAll ? kind.evolveAll(from, rest) : rest.reduce((before, fact) => kind.evolve(before, fact), from);
};

export const formatOf = (kind: AnyKind): number => kind.format ?? 1;

export const writeState = (kind: AnyKind, state: unknown): string => kind.write?.(state) ?? JSON.stringify(state);

/** Null: nothing was kept. */
export const readState = (kind: AnyKind, text: string | null): unknown => {
  if (text === null) return kind.initial;
  return kind.read ? kind.read(text) : JSON.parse(text);
};

/** An actor as its snapshot is written. */
export interface ProjectedActor<State> {
  readonly tenant: Tenant;
  readonly id: string;
  readonly state: State;
}
