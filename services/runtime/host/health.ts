// Reports the health of a host's dependencies and partitions, as an rpc that edges call over the link.
import type { HealthIssue } from '#runtime/actor/placement.ts';
import { type Domain, query } from '#runtime/domain/rpc.ts';
import type { Bus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';

/** `degraded`: the part works, but an operator should check it. */
type State = 'ok' | 'degraded' | 'down';

export interface HealthParts {
  readonly postgres: Pick<Postgres, 'ping' | 'available' | 'lacksConnections' | 'refusesWrites'>;
  readonly bus: Pick<Bus, 'connected' | 'storing'>;
  readonly healthIssues: () => readonly HealthIssue[];
}

export const componentsOf = ({ postgres, bus, healthIssues }: HealthParts): Readonly<Record<string, State>> => {
  const wrong = healthIssues();
  const stateOf = (issue: HealthIssue): State => (wrong.includes(issue) ? 'degraded' : 'ok');
  return {
    postgres: !postgres.available ? 'down' : postgres.lacksConnections || postgres.refusesWrites ? 'degraded' : 'ok',
    nats: bus.connected ? (bus.storing ? 'ok' : 'degraded') : 'down',
    actor_log: stateOf('actor_log'),
    projection: stateOf('projection'),
  };
};

export const health = (parts: HealthParts): Domain => ({
  name: 'host',
  services: {
    Host: {
      GetHealth: query(async () => {
        const answers = await parts.postgres.ping().then(
          () => true,
          () => parts.postgres.lacksConnections,
        );
        return { components: { ...componentsOf(parts), ...(answers ? {} : { postgres: 'down' }) } };
      }),
    },
  },
});
