// Notes the actor on which a call with an idempotency key takes effect, and stores or replays the call's response.
import type { Idempotency, Tenant } from '#runtime/call/call.ts';
import type { CommandResult } from './actor_instance.ts';
import type { ActorCall, Actors, IdempotentCall } from './host.ts';
import type { AnyKind } from './kind.ts';
import type { KeepMessage } from './peer.ts';

export interface IdempotentCallPorts {
  readonly actors: Actors;
  tell(kind: AnyKind, tenant: Tenant, id: string, command: unknown, call: ActorCall): Promise<CommandResult>;
  recall(): Promise<Uint8Array | null>;
  keep(message: KeepMessage): void;
}

class Replayed extends Error {}

export const idempotentCall = (
  idempotency: Idempotency,
  { actors: all, tell, recall, keep }: IdempotentCallPorts,
): IdempotentCall => {
  let effect: { kind: string; tenant: Tenant; id: string } | null = null;
  const call = { replayed: false, response: null as Uint8Array | null };
  const actors: Actors = {
    register: (kind) => all.register(kind),
    runDue: (tenant, untilMs) => all.runDue(tenant, untilMs),
    nextDue: (tenant, untilMs) => all.nextDue(tenant, untilMs),
    forget: (tenant) => all.forget(tenant),
    idempotentCall: (other) => all.idempotentCall(other),
    tell: async (kind, tenant, id, command, actorCall) => {
      const result = await tell(kind, tenant, id, command, actorCall);
      if (actorCall.idempotency) {
        effect = { kind: kind.name, tenant, id };
        call.replayed = result.replayed;
        call.response = result.response;
        if (result.response) throw new Replayed();
      }
      return result.answer as never;
    },
  };
  return Object.assign(call, {
    actors,
    storedResponse: recall,
    storeResponse: (response: Uint8Array) => {
      if (effect) keep({ ...effect, idempotency, response });
    },
  });
};
