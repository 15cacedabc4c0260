// Writes the map of events: each type to what its `data.object` holds, so that an event that a domain tells is checked.
import type { Contract } from './contract.ts';
import { heading } from './direction.ts';
import { eventMessages } from './event_table.ts';

export const eventMapOf = (contract: Contract): string => {
  const events = eventMessages(contract);
  const names = [...new Set(events.map(({ message }) => message.name))].sort();
  const file = events[0]?.message.file;
  return `${[
    heading('stoa/v1/*.proto'),
    ...(file ? [`import type { ${names.join(', ')} } from './${file}.ts';`] : []),
    '',
    '/** What `data.object` holds in an event of each type: the resource, and what stands beside it. */',
    'export interface EventObjects {',
    ...events.map(({ type, message }) => {
      const beside = message.fields.some(({ name }) => name === 'extra') ? ` & ${message.name}['extra']` : '';
      return `  ${JSON.stringify(type)}: ${message.name}['object']${beside};`;
    }),
    '}',
    '',
    'export type EventType = keyof EventObjects;',
  ].join('\n')}\n`;
};
