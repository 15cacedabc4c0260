// Calls to actors: command ids, and which failures have an unknown outcome. Each call has one command with an effect;
// any failure after that command is an unknown outcome.
import { type ActorCall, commandIdOf } from '#runtime/actor/host.ts';
import type { Call } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { recordInJournal } from '#runtime/host/host_call.ts';
import { derivedId } from './derived_id.ts';

export const effect = (call: Call): ActorCall => ({
  commandId: commandIdOf(call),
  deadline: call.deadline,
  idempotency: call.idempotency,
  trace: call.trace,
  audit: recordInJournal(call),
});

export const step = (call: Call, name: string): ActorCall => ({
  commandId: derivedId('step', commandIdOf(call), name),
  deadline: call.deadline,
  trace: call.trace,
});

export const readCall = ({ deadline, trace }: Call): ActorCall => ({ commandId: '', deadline, trace });

export const afterEffect = (problem: unknown): never => {
  throw problem instanceof Unavailable ? new UnknownOutcome(problem.message, { cause: problem }) : problem;
};
