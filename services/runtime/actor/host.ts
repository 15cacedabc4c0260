// The port of the actor host: how a domain registers its kinds of actors and tells them what to do.
import { randomUUID } from 'node:crypto';
import type { Call, Idempotency, Refusal, Tenant } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { ActorKind, AnyKind } from './kind.ts';

export interface ActorCall {
  /** Unique to the command and the same on each of its retries: `commandIdOf(call)`. */
  readonly commandId: string;
  /** Real time in ms since the epoch after which no caller waits for the answer. */
  readonly deadline: number;
  /**
   * Kept with the facts, so that the command has its effect once a key; a retry gets the first answer. Give it to the
   * one command of a call that is the call's effect.
   */
  readonly idempotency?: Idempotency | null;
  /** Traceparent of the call that it is a part of. */
  readonly trace?: string;
}

/** What came due in a jump of the clock: an event's type, or the kind's name where it announced none. */
export interface Fired {
  readonly type: string;
  readonly count: number;
}

export interface Actors {
  /** Before the host starts: each kind once. */
  register(kind: AnyKind): void;
  /**
   * Tells the actor, on whichever host it lives. The answer comes once all that it depends on is durable. Throws `Unavailable`
   * where nothing was done, `UnknownOutcome` where the outcome is not known: the same `commandId` and key find out.
   */
  tell<State, Command, Fact, Answer>(
    kind: ActorKind<State, Command, Fact, Answer>,
    tenant: Tenant,
    id: string,
    command: Command,
    call: ActorCall,
  ): Promise<Answer | Refusal>;
  /** Tells every actor of the tenant that is due by then, in the order in which they are due, until none is. */
  runDue(tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  /** When the first actor of the tenant's is due, if one is by then; null: none. */
  nextDue(tenant: Tenant, untilMs: number): Promise<number | null>;
  /** All actors of the tenant's are as if they had never been; nothing of them is left in Postgres. */
  forget(tenant: Tenant): Promise<void>;
  /** For the host of handlers: the port as one call uses it. */
  idempotentCall(call: Call): IdempotentCall;
}

/** What becomes of a call's idempotency key. */
export interface IdempotentCall {
  /** For the handler. */
  readonly actors: Actors;
  /** An earlier call under this key had the effect; what the handler answers is made from that one's answer. */
  readonly replayed: boolean;
  /** The earlier call's whole response, where it is known: to be answered, whatever the handler did. */
  readonly response: Uint8Array | null;
  /** The response stored under the key, without telling an actor anything; null without one. */
  storedResponse(): Promise<Uint8Array | null>;
  /** Keeps this response for retries. */
  storeResponse(response: Uint8Array): void;
}

/** A call's command id: the same for every retry under one idempotency key, else new. */
export const commandIdOf = ({ tenant, idempotency }: Pick<Call, 'tenant' | 'idempotency'>): string => {
  if (!idempotency) return randomUUID();
  const { scope, key, fingerprint } = idempotency;
  return derivedId(tenant.store, tenant.environment, scope, key, fingerprint);
};
