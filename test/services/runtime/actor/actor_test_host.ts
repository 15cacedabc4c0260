// Opens any number of actor hosts for a test, on real servers with a new database and a new stream.
import { randomUUID } from 'node:crypto';
import type { ActorCall } from '#runtime/actor/host.ts';
import { journalStream } from '#runtime/actor/journal.ts';
import type { AnyKind } from '#runtime/actor/kind.ts';
import { openLayout } from '#runtime/actor/layout_table.ts';
import type { Router } from '#runtime/actor/router.ts';
import { openActors } from '#runtime/actor/start.ts';
import type { Refusal, Tenant } from '#runtime/call/call.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type Clock, systemClock } from '#runtime/process/clock.ts';
import {
  eventually,
  freshDatabase,
  freshNamespace,
  openPostgres,
  serverUrls,
  testLog,
  testSeal,
} from '#test/support/server.ts';
import { type TicketAnswer, type TicketCommand, ticket } from './ticket.ts';

export const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
export const SANDBOX: Tenant = { ...TENANT, environment: 'sandbox' };

const CONNECTIONS_MAX = 6;

export interface Stage {
  readonly actors: Router;
  readonly bus: Bus;
  readonly postgres: Postgres;
  tell(
    id: string,
    command: TicketCommand,
    call?: Partial<ActorCall> & { tenant?: Tenant },
  ): Promise<TicketAnswer | Refusal>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface ActorTestHost {
  readonly postgres: Postgres;
  readonly namespace: string;
  readonly stream: string;
  readonly clock: Clock;
  open(options?: StageOptions): Promise<Stage>;
  /** Waits until all that was acknowledged is in Postgres. */
  close(): Promise<void>;
}

export interface StageOptions {
  readonly natsUrl?: string;
  readonly databaseUrl?: string;
  readonly kinds?: readonly AnyKind[];
  readonly partitions?: number;
  readonly loadedMax?: number;
  readonly idleMsMax?: number;
  /** Does not wait for the bus. */
  readonly away?: boolean;
}

const SERVING_MS_MAX = 60_000;
const PATIENCE_MS = 30_000;

export const openActorTestHost = async (clock: Clock = systemClock()): Promise<ActorTestHost> => {
  const database = await freshDatabase();
  const namespace = freshNamespace();
  const postgres = openPostgres(database.url, { clock });
  const stages = new Set<Stage>();
  return {
    postgres,
    namespace,
    stream: journalStream(namespace, 1).name,
    clock,
    async open({
      natsUrl = serverUrls().nats,
      databaseUrl = database.url,
      kinds = [ticket],
      partitions = 4,
      ...rest
    } = {}) {
      const bus = connectBus({ url: natsUrl, name: 'stoa-test', log: testLog() });
      const own = openPostgres(databaseUrl, { clock, connectionsMax: CONNECTIONS_MAX });
      if (!rest.away)
        await eventually(() => {
          if (!bus.connected) throw new Error('The bus does not answer.');
        });
      const layout = await openLayout(own, testLog(), partitions);
      const actors = openActors({
        postgres: own,
        bus,
        clock,
        seal: testSeal(),
        log: testLog(),
        namespace,
        layout,
        address: `unix:/nowhere/${randomUUID()}`,
        linkToken: '',
        loadedMax: rest.loadedMax,
        idleMsMax: rest.idleMsMax,
      });
      for (const kind of kinds) actors.register(kind);
      const alone = stages.size === 0;
      await actors.start();
      // On a busy machine that takes longer than a command may wait.
      if (alone && !rest.away)
        await eventually(() => {
          if (actors.serving.length < layout.partitions) throw new Error('A partition does not serve.');
        }, SERVING_MS_MAX);
      let open = true;
      const leave = async (): Promise<void> => {
        open = false;
        stages.delete(stage);
        await bus.close();
        // All its connections stand before they are closed: the library does not survive it otherwise.
        await Promise.allSettled(Array.from({ length: CONNECTIONS_MAX }, () => own.ping()));
        await own.close();
      };
      const stage: Stage = {
        actors,
        bus,
        postgres: own,
        tell: (id, command, { tenant = TENANT, ...call } = {}) =>
          actors.tell(ticket, tenant, id, command, {
            commandId: randomUUID(),
            deadline: clock.real() + PATIENCE_MS,
            ...call,
          }),
        async stop() {
          if (!open) return;
          await actors.stop();
          await leave();
        },
        async kill() {
          if (!open) return;
          await actors.kill();
          await leave();
        },
      };
      stages.add(stage);
      return stage;
    },
    async close() {
      for (const stage of [...stages]) await stage.stop();
      await postgres.close();
      await database.drop();
    },
  };
};
