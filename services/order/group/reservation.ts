// Holding what all merchants of a checkout have to give: everything or nothing.
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { OrderNeighbours } from '#services/order/neighbour.ts';
import { letGo, type OrderPreparation, type PreparedOrder } from '#services/order/preparation.ts';
import type { DraftedMember } from './draft.ts';

export interface PlacedMember extends Omit<DraftedMember, 'draft'> {
  readonly prepared: PreparedOrder;
}

export interface GroupReservation {
  /** In the order given. What was held is released where another merchant refuses. */
  hold(call: Call, members: readonly DraftedMember[]): Promise<readonly PlacedMember[] | Refusal>;
  release(members: readonly PlacedMember[]): Promise<void>;
}

/** The order in which everything of a checkout is taken, in every checkout the same. */
export const inLockOrder = <M extends Pick<DraftedMember, 'tenant'>>(members: readonly M[]): M[] =>
  members.toSorted(({ tenant: a }, { tenant: b }) => (a.store < b.store ? -1 : 1));

export const openGroupReservation = (
  { log }: Pick<Runtime, 'log'>,
  neighbours: OrderNeighbours,
  preparation: OrderPreparation,
): GroupReservation => {
  const release = async (members: readonly PlacedMember[]): Promise<void> => {
    const released = await Promise.allSettled(
      members.map(({ tenant, prepared }) => letGo(neighbours, { tenant }, prepared)),
    );
    // Actors of pinned holds ask what became of them.
    for (const each of released)
      if (each.status === 'rejected') log.warn({ err: each.reason }, 'what was taken is given back later');
  };

  return {
    release,

    hold: async (call, members) => {
      const command = commandIdOf(call);
      const held: PlacedMember[] = [];
      const refusals: Refusal[] = [];
      const take = async ({ draft, ...member }: DraftedMember): Promise<void> => {
        const prepared = await preparation.hold(member.call, derivedId(command, member.tenant.store), draft);
        if (prepared instanceof Refusal) refusals.push(prepared);
        else held.push({ ...member, prepared });
      };
      const [first, ...others] = inLockOrder(members);
      try {
        // The first by itself: of two checkouts that want the last of the same things one gets all of them.
        await take(first!);
        if (refusals.length === 0) {
          const taken = await Promise.allSettled(others.map(take));
          for (const each of taken) if (each.status === 'rejected') throw each.reason;
        }
      } catch (problem) {
        await release(held);
        throw problem;
      }
      if (refusals.length === 0)
        return members.map(({ tenant }) => held.find((member) => member.tenant.store === tenant.store)!);
      await release(held);
      return refusals[0]!;
    },
  };
};
