// Defines a kind of actor: its pure core and its binding to the host. Without clock, random numbers or I/O.
import type { Refusal, Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

export interface Context {
  readonly tenant: Tenant;
  readonly id: string;
  readonly now: number;
  /** Unique to the command and equal on retries; ids are derived from it. */
  readonly commandId: string;
}

export interface Decision<Fact, Answer, State = never> {
  readonly facts: readonly Fact[];
  readonly answer: Answer;
  /** The state after the facts, where deciding has computed it anyway. */
  readonly state?: State;
}

/** `Command`, `Fact` and the state are JSON, since the state is stored as a snapshot. */
export interface ActorKind<State, Command, Fact, Answer> {
  /** A singular noun such as `cart`; first part of every key. */
  readonly name: string;
  readonly initial: State;
  /** A refusal writes nothing. Without facts the command is a read, answered once the state is durable. */
  decide(state: State, command: Command, context: Context): Decision<Fact, Answer, State> | Refusal;
  evolve(state: State, fact: Fact): State;
  evolveAll?(state: State, facts: readonly Fact[]): State;
  /** When it wants an alarm, in ms by the tenant's clock; null: never. */
  dueAt(state: State): number | null;
  readonly due: Command;
  isDisposable(state: State): boolean;
  /**
   * When its snapshot may be deleted without a command, in ms by the tenant's clock; null: never. Commands must then
   * decide the same on the initial state. Deleting a million takes one statement instead of a million alarms.
   */
  expiresAt?(state: State): number | null;
  announce?(state: State, fact: Fact, context: Context): readonly Event[];
  /**
   * The format of snapshots; 1 by default. A release must read a format before one writes it, so that the previous release can
   * take over.
   */
  readonly format?: number;
  /** JSON of the state in one line, where its snapshot differs from its own JSON. */
  write?(state: State): string;
  read?(text: string): State;
  /**
   * Writes further tables in the snapshots' transaction, for each changed actor. The partition waits for it, so it
   * must not wait for a lock.
   */
  project?(tx: Transaction, changed: readonly ProjectedActor<State>[]): Promise<void>;
}

/** A fact that the host writes when a sandbox is reset: the actor starts again from its initial state. */
export const FORGOTTEN = null;

// biome-ignore lint/suspicious/noExplicitAny: kinds of every state, command, fact and answer
export type AnyKind = ActorKind<any, any, any, any>;

export const evolveFact = (kind: AnyKind, state: unknown, fact: unknown): unknown =>
  fact === FORGOTTEN ? kind.initial : kind.evolve(state, fact);

export const evolveFacts = (kind: AnyKind, state: unknown, facts: readonly unknown[]): unknown => {
  const forgotten = facts.lastIndexOf(FORGOTTEN) + 1;
  const from = forgotten === 0 ? state : kind.initial;
  const rest = forgotten === 0 ? facts : facts.slice(forgotten);
  return kind.evolveAll ? kind.evolveAll(from, rest) : rest.reduce((before, fact) => kind.evolve(before, fact), from);
};

export const formatOf = (kind: AnyKind): number => kind.format ?? 1;

export const writeState = (kind: AnyKind, state: unknown): string => kind.write?.(state) ?? JSON.stringify(state);

export const readState = (kind: AnyKind, text: string | null): unknown => {
  if (text === null) return kind.initial;
  return kind.read ? kind.read(text) : JSON.parse(text);
};

export interface ProjectedActor<State> {
  readonly tenant: Tenant;
  readonly id: string;
  readonly state: State;
}
