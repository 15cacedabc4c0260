// Defines the port through which domains register kinds of actors and send them commands.
import { randomUUID } from 'node:crypto';
import type { Call, Idempotency, Refusal, Tenant } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { ActorKind, AnyKind } from './kind.ts';

export interface ActorCall {
  /** Unique to the command and equal on retries: `commandIdOf(call)`. */
  readonly commandId: string;
  /** Real ms since the epoch. */
  readonly deadline: number;
  /**
   * Stored with the facts, so that the effect happens once for each key. Only the command that is the call's effect
   * gets it.
   */
  readonly idempotency?: Idempotency | null;
  readonly trace?: string;
}

/** Work that came due: an event type, or the kind's name where it emitted none. */
export interface Fired {
  readonly type: string;
  readonly count: number;
}

export interface Actors {
  register(kind: AnyKind): void;
  /**
   * Runs the command on the host that owns the actor. Resolves once everything that the answer depends on is durable.
   * Throws `Unavailable` where nothing was done, `UnknownOutcome` otherwise: a retry with the same `commandId` and key
   * finds out.
   */
  tell<State, Command, Fact, Answer>(
    kind: ActorKind<State, Command, Fact, Answer>,
    tenant: Tenant,
    id: string,
    command: Command,
    call: ActorCall,
  ): Promise<Answer | Refusal>;
  /** Alarms every due actor of the tenant in order of due times, until none is due by `untilMs`. */
  runDue(tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  /** When the tenant's first actor is due, at most `untilMs`; null: none. */
  nextDue(tenant: Tenant, untilMs: number): Promise<number | null>;
  /** Resets all actors of the tenant and deletes their rows. */
  forget(tenant: Tenant): Promise<void>;
  idempotentCall(call: Call): IdempotentCall;
}

export interface IdempotentCall {
  readonly actors: Actors;
  /** An earlier call under this key had the effect; the handler's answer is made from that one's. */
  readonly replayed: boolean;
  /** The earlier call's stored response, which takes precedence over the handler's. */
  readonly response: Uint8Array | null;
  storedResponse(): Promise<Uint8Array | null>;
  storeResponse(response: Uint8Array): void;
}

/** Equal for every retry under one idempotency key, else new. */
export const commandIdOf = ({ tenant, idempotency }: Pick<Call, 'tenant' | 'idempotency'>): string => {
  if (!idempotency) return randomUUID();
  const { scope, key, fingerprint } = idempotency;
  return derivedId(tenant.store, tenant.environment, scope, key, fingerprint);
};
