// How a services host is: whether what it depends on answers. Served like any rpc, so that an edge asks over the link.
import type { Bus } from './nats.ts';
import type { Postgres } from './postgres.ts';
import { type Domain, query } from './rpc.ts';

type State = 'ok' | 'down';

export const health = (parts: { readonly postgres: Postgres; readonly bus: Bus }): Domain => ({
  name: 'host',
  services: {
    Host: {
      GetHealth: query(async () => {
        const postgres: State = await parts.postgres.ping().then(
          () => 'ok' as const,
          () => 'down' as const,
        );
        const nats: State = parts.bus.connected ? 'ok' : 'down';
        return { components: { postgres, nats } };
      }),
    },
  },
});
