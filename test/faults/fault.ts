// Faults of a cluster under load: each is healed before the next one starts.
import type { Cluster, Member } from './cluster.ts';
import type { NatsServer } from './nats.ts';

export interface Fault {
  readonly name: string;
  /** NATS servers that it needs. */
  readonly nats: 1 | 3 | 'any';
  run(cluster: Cluster, turn: number): Promise<void>;
}

const of = <T>(members: readonly T[], turn: number): T => members[turn % members.length] as T;

const killed = async (member: Member, awayMs: number): Promise<void> => {
  await member.kill();
  await Bun.sleep(awayMs);
  await member.start();
};

const frozen = async (member: Member | NatsServer, ms: number): Promise<void> => {
  member.freeze();
  await Bun.sleep(ms);
  member.thaw();
};

export const FAULTS: readonly Fault[] = [
  { name: 'a host is killed', nats: 'any', run: ({ hosts }, turn) => killed(of(hosts, turn), 1_000) },
  // Longer than others wait before they take its partitions: it comes back believing that they are its own.
  { name: 'a host stands still', nats: 'any', run: ({ hosts }, turn) => frozen(of(hosts, turn), 2_500) },
  // Longer than any request may last: edges have to find another one meanwhile.
  { name: 'a host stands still for long', nats: 'any', run: ({ hosts }, turn) => frozen(of(hosts, turn), 12_000) },
  {
    name: 'a host stops and comes back',
    nats: 'any',
    async run({ hosts }, turn) {
      const host = of(hosts, turn);
      await host.stop();
      await host.start();
    },
  },
  { name: 'an edge is killed', nats: 'any', run: ({ edges }, turn) => killed(of(edges, turn), 300) },
  { name: 'an edge stands still', nats: 'any', run: ({ edges }, turn) => frozen(of(edges, turn), 1_500) },
  {
    name: 'all hosts are killed',
    nats: 'any',
    async run({ hosts }) {
      await Promise.all(hosts.map((host) => host.kill()));
      await Promise.all(hosts.map((host) => host.start()));
    },
  },
  {
    name: 'a NATS server is killed',
    nats: 'any',
    async run({ nats }, turn) {
      const server = of(nats.servers, turn);
      await server.kill();
      await Bun.sleep(1_500);
      await server.start();
    },
  },
  { name: 'a NATS server stands still', nats: 'any', run: ({ nats }, turn) => frozen(of(nats.servers, turn), 2_500) },
  {
    name: 'all NATS servers are killed',
    nats: 3,
    async run({ nats }) {
      await Promise.all(nats.servers.map((server) => server.kill()));
      await Promise.all(nats.servers.map((server) => server.start()));
    },
  },
];
