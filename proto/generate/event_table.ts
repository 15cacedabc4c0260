// Writes the table of events: every type that the proto files name, its schema and an example.
import type { Contract, MessageShape, Webhook } from './contract.ts';
import { heading } from './direction.ts';
import { exampleOf } from './example.ts';
import { idOf } from './sample.ts';

export interface EventMessage extends Webhook {
  readonly message: MessageShape;
}

export const eventMessages = ({ files }: Contract): EventMessage[] =>
  files
    .flatMap((file) => file.messages)
    .flatMap((message) => message.webhooks.map((webhook) => ({ ...webhook, message })));

/** An event's `data.object`: the resource, and what stands beside it. */
const objectExample = (message: MessageShape): object => {
  const { object, extra } = exampleOf(message, 'output') as { object: object; extra?: object };
  return { ...object, ...extra };
};

export const envelopeExample = (type: string, message: MessageShape): object => ({
  id: 'evt_1769850600000_9f86d081884c7d65',
  type,
  created_at: '2026-01-31T09:10:00.000Z',
  store_id: idOf('store'),
  api_version: 'v1',
  data: { object: objectExample(message) },
  sequence: 1,
});

export const eventTypesOf = (contract: Contract): string => {
  const events = eventMessages(contract);
  const names = [...new Set(events.map(({ message }) => message.name))].sort();
  const file = events[0]?.message.file;
  return `${[
    heading('stoa/v1/*.proto'),
    "import type { TSchema } from '@sinclair/typebox';",
    "import type { EventType } from './event_map.ts';",
    ...(file ? [`import { ${names.join(', ')} } from './${file}.schema.ts';`] : []),
    '',
    'export interface EventDescription {',
    '  /** When it is sent. */',
    '  readonly when: string;',
    '  /** Its field `object` is the resource in `data.object`; `extra` is what stands beside it there. */',
    '  readonly schema: TSchema;',
    '  /** A `data.object` as it could be. */',
    '  readonly example: Readonly<Record<string, unknown>>;',
    '}',
    '',
    'export const eventTypes: Readonly<Record<EventType, EventDescription>> = {',
    ...events.map(
      ({ type, when, message }) =>
        `  ${JSON.stringify(type)}: { when: ${JSON.stringify(when)}, schema: ${message.name}, example: ${JSON.stringify(objectExample(message))} },`,
    ),
    '};',
  ].join('\n')}\n`;
};
