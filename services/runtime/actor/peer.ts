// Calls actors on other hosts over the same link that edges use.
import type { CommandAudit } from '#runtime/audit/command_audit.ts';
import {
  type Environment,
  type Idempotency,
  Refusal,
  type RefusalCode,
  type RefusalExtra,
  type Tenant,
} from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { type Domain, read } from '#runtime/domain/rpc.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { traced } from '#runtime/link/span.ts';
import type { Log } from '#runtime/process/log.ts';
import { untraced } from '#runtime/process/trace.ts';
import type { CommandResult } from './actor_instance.ts';
import type { Actors, Fired } from './host.ts';
import { NotOwner } from './partition.ts';
import type { PlacementPeer } from './placement.ts';

export interface TellMessage {
  readonly kind: string;
  readonly tenant: Tenant;
  readonly id: string;
  readonly command: unknown;
  readonly commandId: string;
  readonly idempotency: Idempotency | null;
  readonly audit?: CommandAudit | null;
}

export interface KeepMessage {
  readonly kind: string;
  readonly tenant: Tenant;
  readonly id: string;
  readonly idempotency: Idempotency;
  readonly response: Uint8Array;
}

export interface Peers {
  /** Throws `NotOwner` or `Unavailable` where the command had no effect, `UnknownOutcome` where that is unknown. */
  tell(peer: PlacementPeer, message: TellMessage, timeoutMs: number, trace: string): Promise<CommandResult>;
  keep(peer: PlacementPeer, message: KeepMessage): Promise<void>;
  runDue(peer: PlacementPeer, tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  nextDue(peer: PlacementPeer, tenant: Tenant, untilMs: number): Promise<number | null>;
  forget(peer: PlacementPeer, tenant: Tenant): Promise<void>;
  /**
   * Opens connections to live hosts in advance. Connections to hosts that left stay open a while, since answers may
   * still arrive.
   */
  meet(peers: readonly PlacementPeer[]): void;
  drop(peer: PlacementPeer): void;
  close(): Promise<void>;
}

export interface PeerHandler {
  tell(message: TellMessage, deadline: number): Promise<CommandResult>;
  keep(message: KeepMessage): void;
  runDue(tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  nextDue(tenant: Tenant, untilMs: number): Promise<number | null>;
  forget(tenant: Tenant): Promise<void>;
}

interface RefusalMessage {
  readonly code: RefusalCode;
  readonly message: string;
  readonly extra: RefusalExtra;
}

type TellReply =
  | { readonly outcome: 'elsewhere' }
  | { readonly outcome: 'refused'; readonly refusal: RefusalMessage; readonly replayed: boolean }
  | { readonly outcome: 'answered'; readonly answer: unknown; readonly replayed: boolean }
  | { readonly outcome: 'responded'; readonly response: string };

const KEEP_MS = 1_000;
const RUN_MS = 60_000;
const NEXT_MS = 3_000;
const FORGET_MS = 15_000;
const LINGER_MS = 5_000;

const toReply = ({ answer, replayed, response }: CommandResult): TellReply => {
  if (response) return { outcome: 'responded', response: Buffer.from(response).toString('base64') };
  if (!(answer instanceof Refusal)) return { outcome: 'answered', answer, replayed };
  const { code, message, extra } = answer;
  return { outcome: 'refused', refusal: { code, message, extra }, replayed };
};

const fromReply = (reply: TellReply): CommandResult => {
  if (reply.outcome === 'elsewhere') throw new NotOwner();
  if (reply.outcome === 'responded')
    return { answer: null, replayed: true, response: Buffer.from(reply.response, 'base64') };
  if (reply.outcome === 'answered') return { answer: reply.answer, replayed: reply.replayed, response: null };
  const { code, message, extra } = reply.refusal;
  return { answer: new Refusal(code, message, extra), replayed: reply.replayed, response: null };
};

interface KeepInput extends Omit<KeepMessage, 'response'> {
  readonly response: string;
}

/**
 * Defines the rpcs that hosts call on each other, which the edge's route table does not have, and the due times and
 * reset of all actors.
 */
export const actorDomain = (
  actors: Pick<Actors, 'runDue' | 'nextDue'> & { readonly peerHandler: PeerHandler },
  domains: readonly Domain[],
): Domain => ({
  name: 'actor',
  services: {
    ActorHost: {
      Tell: read(async (call, message: TellMessage): Promise<TellReply> => {
        try {
          return toReply(await actors.peerHandler.tell(message, call.deadline));
        } catch (problem) {
          if (problem instanceof NotOwner) return { outcome: 'elsewhere' };
          throw problem;
        }
      }),
      Keep: read((_, message: KeepInput) => {
        actors.peerHandler.keep({ ...message, response: Buffer.from(message.response, 'base64') });
        return {};
      }),
      RunDue: read(async (_, { tenant, untilMs }: { tenant: Tenant; untilMs: number }) => ({
        fired: await actors.peerHandler.runDue(tenant, untilMs),
      })),
      NextDue: read(async (_, { tenant, untilMs }: { tenant: Tenant; untilMs: number }) => ({
        at: await actors.peerHandler.nextDue(tenant, untilMs),
      })),
      Forget: read(async (_, { tenant }: { tenant: Tenant }) => {
        for (const { reset } of domains) reset?.discardPending?.(tenant);
        await actors.peerHandler.forget(tenant);
        return {};
      }),
    },
  },
  due: [
    {
      next: (tenant, { target }) => actors.nextDue(tenant, target),
      run: (tenant, { until }) => actors.runDue(tenant, until),
    },
  ],
  reset: {
    // Retains the actors' rows, because the host has reset the actors before. Deletes stored answers and events.
    tables: {
      'runtime.actor': 'retained',
      'runtime.idempotency': 'cleared',
      'runtime.outbox': 'cleared',
      'runtime.event': 'cleared',
      'runtime.sandbox': 'retained',
    },
  },
});

const callerOf = (tenant: Tenant) => ({
  tenant: { store: tenant.store, environment: tenant.environment satisfies Environment },
  keyType: 'internal' as const,
  keyId: '',
  customer: null,
});

export const linkedPeers = (token: string, log: Log): Peers => {
  const wires = new Map<string, LinkClient>();
  const lingering = new Map<LinkClient, ReturnType<typeof setTimeout>>();
  const close = (wire: LinkClient): void => {
    clearTimeout(lingering.get(wire));
    lingering.delete(wire);
    wire.close().catch(() => {});
  };
  const wireTo = (peer: PlacementPeer): LinkClient => {
    let wire = wires.get(peer.address);
    if (!wire) {
      wire = connectLinks({ addresses: [peer.address], token, log });
      wires.set(peer.address, wire);
    }
    return wire;
  };

  const ask = async <O>(
    peer: PlacementPeer,
    method: string,
    tenant: Tenant,
    input: unknown,
    timeoutMs: number,
    parent = '',
  ): Promise<O> => {
    const wire = wireTo(peer);
    // The host is dead or not connected, so the caller looks up the owner again.
    if (!wire.serves('ActorHost')) throw new NotOwner();
    const asked = { rpc: `ActorHost/${method}`, caller: callerOf(tenant), requestId: '' };
    const answer = await traced(asked, parent || untraced(), (trace) =>
      wire.ask(
        {
          ...asked,
          timeoutMs,
          trace,
          input: JSON.stringify(input),
          rawBody: null,
          contentType: '',
          idempotency: null,
          revisionMin: 0,
        },
        true,
      ),
    );
    if (answer.notStarted) throw new NotOwner();
    if (!answer.refused) return JSON.parse(Buffer.from(answer.body).toString('utf8'));
    if (answer.refused.code === 'service_unavailable') throw new Unavailable(answer.refused.message);
    throw new UnknownOutcome(answer.refused.message);
  };

  const reach = (peer: PlacementPeer): void => {
    if (!wireTo(peer).serves('ActorHost'))
      throw new Unavailable('A host that may have actors of this tenant is not reached.');
  };

  return {
    tell: async (peer, message, timeoutMs, trace) =>
      fromReply(await ask<TellReply>(peer, 'Tell', message.tenant, message, timeoutMs, trace)),
    keep: async (peer, message) => {
      const input = { ...message, response: Buffer.from(message.response).toString('base64') };
      await ask(peer, 'Keep', message.tenant, input, KEEP_MS);
    },
    runDue: async (peer, tenant, untilMs) => {
      reach(peer);
      const { fired } = await ask<{ fired: Fired[] }>(peer, 'RunDue', tenant, { tenant, untilMs }, RUN_MS);
      return fired;
    },
    nextDue: async (peer, tenant, untilMs) => {
      reach(peer);
      return (await ask<{ at: number | null }>(peer, 'NextDue', tenant, { tenant, untilMs }, NEXT_MS)).at;
    },
    forget: async (peer, tenant) => {
      reach(peer);
      await ask(peer, 'Forget', tenant, { tenant }, FORGET_MS);
    },
    meet: (peers) => {
      for (const peer of peers) wireTo(peer);
      const addresses = new Set(peers.map(({ address }) => address));
      for (const [address, wire] of wires) {
        if (addresses.has(address)) continue;
        wires.delete(address);
        const timer = setTimeout(() => close(wire), LINGER_MS);
        lingering.set(wire, timer);
      }
    },
    drop: ({ address }) => {
      const wire = wires.get(address);
      wires.delete(address);
      if (wire) close(wire);
    },
    close: async () => {
      for (const wire of [...lingering.keys(), ...wires.values()]) close(wire);
      wires.clear();
    },
  };
};
