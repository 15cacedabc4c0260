// The history of a simulation, as its judge reads it.
import type { TicketAnswer, TicketCommand } from '#test/services/runtime/actor/ticket.ts';
import type { FakeBroker } from './fake_journal.ts';
import type { FakeDatabase } from './fake_snapshot.ts';

/** A client's command and its answer. */
export interface ClientCommand {
  readonly ticket: string;
  readonly commandId: string;
  readonly command: TicketCommand;
  readonly keyed: boolean;
  readonly askedAt: number;
  answeredAt: number;
  /** `refused` and `unavailable` are definite: without effect. */
  outcome: 'answered' | 'refused' | 'unavailable' | 'unknown';
  answer: TicketAnswer | null;
  /** Whether no host was cut off, stood still or heard others late, so that all know at once who owns what. */
  calm: boolean;
}

export const EPOCH_MS = 1_700_000_000_000;

export interface History {
  readonly seed: number;
  readonly asked: readonly ClientCommand[];
  readonly broker: FakeBroker;
  readonly database: FakeDatabase;
  /** Answer of each seat after the recovery. */
  readonly final: ReadonlyMap<string, TicketAnswer>;
  readonly kills: number;
  /** Number of changes of the layout. */
  readonly changes: number;
}

export const PARTITIONS = 2;
