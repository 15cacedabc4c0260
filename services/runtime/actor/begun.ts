// A call under an idempotency key, as a handler of kind `command` tells actors of it: the actor that it has an effect on
// remembers the answer.
import type { Idempotency, Tenant } from '#runtime/call/call.ts';
import type { CommandResult } from './cell.ts';
import type { ActorCall, Actors, BegunCall } from './host.ts';
import type { AnyKind } from './kind.ts';
import type { KeepMessage } from './peer.ts';

export interface BeginPorts {
  readonly actors: Actors;
  tell(kind: AnyKind, tenant: Tenant, id: string, command: unknown, call: ActorCall): Promise<CommandResult>;
  recall(): Promise<Uint8Array | null>;
  keep(message: KeepMessage): void;
}

/** Ends a handler whose response is known already. */
class Replayed extends Error {}

export const begunCall = (idempotency: Idempotency, { actors: all, tell, recall, keep }: BeginPorts): BegunCall => {
  let effect: { kind: string; tenant: Tenant; id: string } | null = null;
  const begun = { replayed: false, response: null as Uint8Array | null };
  const actors: Actors = {
    register: (kind) => all.register(kind),
    runDue: (tenant, untilMs) => all.runDue(tenant, untilMs),
    nextDue: (tenant, untilMs) => all.nextDue(tenant, untilMs),
    forget: (tenant) => all.forget(tenant),
    begin: (other) => all.begin(other),
    tell: async (kind, tenant, id, command, call) => {
      const told = await tell(kind, tenant, id, command, call);
      if (call.idempotency) {
        effect = { kind: kind.name, tenant, id };
        begun.replayed = told.replayed;
        begun.response = told.response;
        // What the handler would make of it is known already.
        if (told.response) throw new Replayed();
      }
      return told.answer as never;
    },
  };
  return Object.assign(begun, {
    actors,
    recall,
    keep: (response: Uint8Array) => {
      if (effect) keep({ ...effect, idempotency, response });
    },
  });
};
