// Which of its secrets last: they are sealed anew while the master key is changed.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { credentialsContext } from './table/provider.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'payment.provider', column: 'credentials', id: 'id', context: credentialsContext },
];
