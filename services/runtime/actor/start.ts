// Assembles the actor host.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Bus } from '#runtime/nats/bus.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { systemTimers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { Kinds } from './address.ts';
import { natsJournal } from './journal.ts';
import type { Layout } from './layout.ts';
import { postgresLayouts } from './layout_table.ts';
import { LayoutView } from './layout_view.ts';
import { linkedPeers } from './peer.ts';
import { Router } from './router.ts';
import { postgresSnapshots } from './snapshot.ts';

export interface ActorsOptions {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly log: Log;
  readonly namespace: string;
  readonly layout: Layout;
  readonly address: string;
  readonly linkToken: string;
  readonly loadedMax?: number;
  readonly idleMsMax?: number;
}

const LOADED_MAX = 100_000;
const IDLE_MS_MAX = 10 * 60_000;

export const openActors = (options: ActorsOptions): Router => {
  const { postgres, bus, clock, seal, log, namespace, address } = options;
  const timers = systemTimers;
  const layouts = postgresLayouts(postgres);
  const layout = new LayoutView({ layout: options.layout, layouts, commits: postgres.commits, timers, log });
  return new Router({
    journal: natsJournal(bus, namespace, bus.replicas),
    snapshots: postgresSnapshots(postgres),
    commits: postgres.commits,
    timers,
    layouts,
    layout,
    clock,
    seal,
    kinds: new Kinds(),
    log,
    nonce: randomUUID,
    loadedMax: options.loadedMax ?? LOADED_MAX,
    idleMsMax: options.idleMsMax ?? IDLE_MS_MAX,
    self: { id: randomUUID(), address },
    namespace,
    bus,
    peers: linkedPeers(options.linkToken, log),
  });
};

export const advertisedAddress = (link: string): string =>
  link.replace(/^(?:0\.0\.0\.0|\[::\]|::)(?=:\d+$)/, () => hostname());
