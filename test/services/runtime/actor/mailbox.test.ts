// Commands to an actor that is not in memory run after its state is loaded from Postgres.
import { expect, test, vi } from 'vitest';
import { type ActorInstance, CommandEnvelope } from '#runtime/actor/actor_instance.ts';
import { type Address, Kinds } from '#runtime/actor/address.ts';
import { Mailboxes } from '#runtime/actor/mailbox.ts';
import { Tail } from '#runtime/actor/tail.ts';
import { systemTimers } from '#runtime/process/clock.ts';
import { TENANT } from './actor_test_host.ts';
import { ticket } from './ticket.ts';

const kinds = new Kinds();
kinds.register(ticket);
const addressOf = (id: string): Address => kinds.address(ticket, TENANT, id);

const opened = () => {
  const executed: { readonly id: string; readonly state: unknown }[] = [];
  const load = vi.fn(async (actors: readonly Address[]): Promise<(string | null)[]> => actors.map(() => null));
  const tail = new Tail({
    partition: 0,
    after: 0,
    snapshots: null as never,
    kinds,
    timers: systemTimers,
    overtaken: () => {},
    lost: () => {},
  });
  const mailboxes = new Mailboxes(tail, {
    timers: systemTimers,
    loadedMax: 10,
    idleMsMax: 60_000,
    load,
    hasRoom: () => true,
    full: () => false,
    run: (actor: ActorInstance, envelope: CommandEnvelope) => {
      executed.push({ id: actor.address.id, state: actor.state });
      envelope.done({ answer: null, replayed: false, response: null });
      return true;
    },
    shed: () => {},
    written: () => 0,
  });
  const tell = (id: string): Promise<unknown> =>
    new Promise((done, fail) => {
      const deadline = Date.now() + 5_000;
      mailboxes.enter(
        new CommandEnvelope({ address: addressOf(id), command: null, commandId: id, deadline }, done, fail),
      );
    });
  return { executed, load, tell };
};

test('a command to an actor that is not in memory waits until Postgres has answered', async () => {
  const { executed, load, tell } = opened();
  const answered = tell('old');
  expect(executed).toEqual([]);
  await answered;
  expect(load).toHaveBeenCalledExactlyOnceWith([addressOf('old')]);
  expect(executed).toEqual([{ id: 'old', state: ticket.initial }]);
});
