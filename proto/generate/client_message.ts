// Writes the client's types: the messages that its endpoints and webhooks name, and no other. What a request says in its
// headers, and which fields it chooses, is said elsewhere.
import type { Contract, EndpointShape, MessageShape, ProtoFile } from './contract.ts';
import { directionsOf, nameOf } from './direction.ts';
import { eventMessages } from './event_table.ts';
import { typescriptOf } from './typescript.ts';

/** Told to clients beside what endpoints answer. */
const ALONE = ['ErrorObject', 'EventEnvelope'];

export interface ClientFile {
  readonly name: string;
  readonly text: string;
}

export const clientMessages = (contract: Contract, endpoints: readonly EndpointShape[]): ClientFile[] => {
  const reached = new Set<MessageShape>();
  const reach = (message: MessageShape): void => {
    if (reached.has(message)) return;
    reached.add(message);
    for (const { shape } of message.fields) if (shape.kind === 'message') reach(shape.message);
  };
  const requests = new Set(endpoints.map(({ rpc }) => rpc.request));
  for (const { rpc } of endpoints) {
    reach(rpc.request);
    reach(rpc.response);
  }
  for (const { message } of eventMessages(contract)) reach(message);
  for (const file of contract.files)
    for (const message of file.messages) if (ALONE.includes(message.name)) reach(message);

  const files = contract.files.flatMap((file): ProtoFile[] => {
    const messages = file.messages
      .filter((message) => reached.has(message))
      .map((message) => (requests.has(message) ? { ...message, fields: message.fields.filter(isSaid) } : message));
    return messages.length === 0 ? [] : [{ ...file, messages, services: [] }];
  });
  return [
    ...files.map((file) => ({ name: `client/message/${file.name}.ts`, text: typescriptOf(file) })),
    { name: 'client/message.ts', text: indexOf(files) },
  ];
};

/** `fields` is each method's own; what repeats a query's or body's field in a header is left out. */
export const isSaid = ({ name, header, network }: MessageShape['fields'][number]): boolean =>
  name !== 'fields' && !network && !(header !== '' && name.endsWith('_header'));

const indexOf = (files: readonly ProtoFile[]): string =>
  `${[
    '// Generated from stoa/v1/*.proto by proto/generate: every type that endpoints take and answer.',
    ...files.map((file) => {
      const names = file.messages.flatMap((message) =>
        directionsOf(message).map((direction) => nameOf(message, direction)),
      );
      return `export type {\n${names
        .sort()
        .map((name) => `  ${name},\n`)
        .join('')}} from './message/${file.name}.ts';`;
    }),
  ].join('\n')}\n`;
