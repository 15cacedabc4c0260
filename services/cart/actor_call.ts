// How a call of this domain tells actors: which of its commands is the effect, and what trouble means after it.
import { type ActorCall, commandIdOf } from '#runtime/actor/host.ts';
import type { Call } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { derivedId } from './derived_id.ts';

/** The command that is the call's effect. */
export const effect = (call: Call): ActorCall => ({
  commandId: commandIdOf(call),
  deadline: call.deadline,
  idempotency: call.idempotency,
  trace: call.trace,
});

/** A step on the way there, or after it. */
export const step = (call: Call, name: string): ActorCall => ({
  commandId: derivedId('step', commandIdOf(call), name),
  deadline: call.deadline,
  trace: call.trace,
});

/** A look: it leaves nothing behind that could come twice. */
export const look = ({ deadline, trace }: Call): ActorCall => ({ commandId: '', deadline, trace });

/** Nothing comes of a look: whatever became of it, it may be asked for again. */
export const lookFailed = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

/** Once something was done, trouble no longer means that nothing was. */
export const afterEffect = (problem: unknown): never => {
  throw problem instanceof Unavailable ? new UnknownOutcome(problem.message, { cause: problem }) : problem;
};
