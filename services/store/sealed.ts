// Which of its secrets last: they are sealed anew while the master key is changed.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { secretContext } from './secret.ts';

const of = (kind: 'hmac' | 'external_auth'): SealedColumn => ({
  table: 'store.environment',
  column: `${kind}_secret`,
  id: null,
  context: ({ store, environment }) => secretContext(kind, store, environment),
});

export const SEALED: readonly SealedColumn[] = [of('hmac'), of('external_auth')];
