// Writes the table of what only reads: the rpcs of endpoints that change nothing, by name.
import type { Contract } from './contract.ts';
import { heading } from './direction.ts';

export const readingTableOf = ({ endpoints }: Contract): string =>
  `${[
    heading('stoa/v1/*.proto'),
    '',
    '/** The rpcs of endpoints that change nothing: what became of one that was lost does not matter. */',
    'export const READING: ReadonlySet<string> = new Set([',
    ...endpoints.filter(({ writes }) => !writes).map(({ rpc }) => `  '${rpc.service}/${rpc.name}',`),
    ']);',
  ].join('\n')}\n`;
