// Which of its secrets last: they are sealed anew while the master key is changed.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { secretContext } from './table/channel.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'channel.channel', column: 'secret', id: 'id', context: secretContext },
];
