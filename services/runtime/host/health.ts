// How a services host is: whether what it depends on answers, and whether all that it keeps is where it should be. Served
// like any rpc, so that an edge asks over the link.
import type { HealthIssue } from '#runtime/actor/placement.ts';
import { type Domain, query } from '#runtime/domain/rpc.ts';
import type { Bus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';

/** `degraded`: it serves, and a person has to look at it. */
type State = 'ok' | 'degraded' | 'down';

export interface HealthParts {
  readonly postgres: Pick<Postgres, 'ping' | 'available' | 'lacksConnections' | 'refusesWrites'>;
  readonly bus: Pick<Bus, 'connected' | 'storing'>;
  /** What is wrong with the partitions of any host that is heard. */
  readonly healthIssues: () => readonly HealthIssue[];
}

/** What is known without asking. */
export const componentsOf = ({ postgres, bus, healthIssues }: HealthParts): Readonly<Record<string, State>> => {
  const wrong = healthIssues();
  const stateOf = (ailment: HealthIssue): State => (wrong.includes(ailment) ? 'degraded' : 'ok');
  return {
    postgres: !postgres.available ? 'down' : postgres.lacksConnections || postgres.refusesWrites ? 'degraded' : 'ok',
    nats: bus.connected ? (bus.storing ? 'ok' : 'degraded') : 'down',
    // A part of an actor log was missing or could not be read.
    actor_log: stateOf('actor_log'),
    // What actors decided does not reach Postgres.
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
