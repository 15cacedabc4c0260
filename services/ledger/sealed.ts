// Which of its secrets last: they are sealed anew while the master key is changed.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { codeContext } from './gift_card.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'ledger.gift_card', column: 'code', id: 'id', context: codeContext },
];
