// Which of its secrets last: they are sealed anew while the master key is changed.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { secretContext } from './table/endpoint.ts';
import { keyContext } from './table/signing_key.ts';

const endpoint: Omit<SealedColumn, 'column'> = {
  table: 'webhook.endpoint',
  id: 'id',
  context: ({ store, environment }, id) => secretContext(store, environment, id),
};

export const SEALED: readonly SealedColumn[] = [
  { ...endpoint, column: 'secret' },
  { ...endpoint, column: 'previous_secret' },
  {
    table: 'webhook.signing_key',
    column: 'secret',
    id: 'kid',
    context: ({ store, environment }, kid) => keyContext(store, environment, kid),
  },
];
