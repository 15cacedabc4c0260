// Defines the interface through which domains register kinds of actors and send commands to actors.
import { randomUUID } from 'node:crypto';
import type { CommandAudit } from '#runtime/audit/command_audit.ts';
import type { Call, Idempotency, Refusal, Tenant } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { ActorKind, AnyKind } from './kind.ts';

export interface ActorCall {
  /** Unique for each command and equal on its retries; handlers use `commandIdOf(call)`. */
  readonly commandId: string;
  /** Real time in ms since the epoch. */
  readonly deadline: number;
  /**
   * Idempotency key of the call, stored with the facts so that the call takes effect once. Only the command that is the
   * call's effect may have it.
   */
  readonly idempotency?: Idempotency | null;
  readonly trace?: string;
  /** The call's audit record, of the command that is the call's effect. */
  readonly audit?: CommandAudit | null;
}

/** An event type that due work emitted, or the kind's name where it emitted none, and how often. */
export interface Fired {
  readonly type: string;
  readonly count: number;
}

export interface Actors {
  register(kind: AnyKind): void;
  /**
   * Runs the command on the host that owns the actor. Resolves once everything that the answer depends on is durable.
   * Throws `Unavailable` where the command had no effect, `UnknownOutcome` where that is unknown; a retry with the same
   * `commandId` and idempotency key then returns the outcome.
   */
  tell<State, Command, Fact, Answer>(
    kind: ActorKind<State, Command, Fact, Answer>,
    tenant: Tenant,
    id: string,
    command: Command,
    call: ActorCall,
  ): Promise<Answer | Refusal>;
  /** Sends alarms to the tenant's due actors in order of due times, until none is due by `untilMs`. */
  runDue(tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  nextDue(tenant: Tenant, untilMs: number): Promise<number | null>;
  forget(tenant: Tenant): Promise<void>;
  idempotentCall(call: Call): IdempotentCall;
}

export interface IdempotentCall {
  readonly actors: Actors;
  /** Whether an earlier call under this key had the effect; the handler then renders that call's answer. */
  readonly replayed: boolean;
  readonly response: Uint8Array | null;
  storedResponse(): Promise<Uint8Array | null>;
  storeResponse(response: Uint8Array): void;
}

/** Returns the same id for all retries under one idempotency key, a new id without a key. */
export const commandIdOf = ({ tenant, idempotency }: Pick<Call, 'tenant' | 'idempotency'>): string => {
  if (!idempotency) return randomUUID();
  const { scope, key, fingerprint } = idempotency;
  return derivedId(tenant.store, tenant.environment, scope, key, fingerprint);
};
