// Defines a kind of actor: pure functions that decide commands and apply facts, without clock, random numbers or I/O,
// and how the host stores the state.
import type { AuditedState } from '#runtime/audit/command_audit.ts';
import type { Refusal, Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

export interface Context {
  readonly tenant: Tenant;
  readonly id: string;
  readonly now: number;
  /** Unique for each command and equal on its retries, so that ids derived from it are equal too. */
  readonly commandId: string;
}

export interface Decision<Fact, Answer, State = never> {
  readonly facts: readonly Fact[];
  readonly answer: Answer;
  readonly state?: State;
}

/** Behaviour of a kind of actor. Commands, facts and states are JSON, since journal and snapshots store them. */
export interface ActorKind<State, Command, Fact, Answer> {
  readonly name: string;
  readonly initial: State;
  /**
   * Decides a command. A refusal writes nothing. A decision without facts is a read, answered once the state that it
   * read is durable.
   */
  decide(state: State, command: Command, context: Context): Decision<Fact, Answer, State> | Refusal;
  evolve(state: State, fact: Fact): State;
  evolveAll?(state: State, facts: readonly Fact[]): State;
  /** Returns when the actor wants its next alarm, in ms of the tenant's clock; null: never. */
  dueAt(state: State): number | null;
  readonly due: Command;
  isDisposable(state: State): boolean;
  /**
   * Returns when the actor's snapshot may be deleted without a command, in ms of the tenant's clock; null: never.
   * Commands must then decide the same on the initial state. One statement deletes a million snapshots, in place of a
   * million alarms.
   */
  expiresAt?(state: State): number | null;
  /** Returns the state as the audit log shows it; null: there is no record yet. For kinds with audited commands. */
  audited?(state: State): AuditedState | null;
  announce?(state: State, fact: Fact, context: Context): readonly Event[];
  /**
   * Format of snapshots; 1 by default. A release must be able to read a new format before a release writes it, so that
   * a downgrade by one release works.
   */
  readonly format?: number;
  /** Writes the state as JSON in one line, where snapshots differ from the state's own JSON. */
  write?(state: State): string;
  read?(text: string): State;
  /**
   * Writes further tables in the snapshots' transaction, for each changed actor. The partition waits meanwhile, so
   * `project` must not wait for locks.
   */
  project?(tx: Transaction, changed: readonly ProjectedActor<State>[]): Promise<void>;
}

/** The fact that the host writes when a sandbox is reset; it returns the actor to its initial state. */
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
