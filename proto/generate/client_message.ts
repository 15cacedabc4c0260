// Writes the client's types: the messages that its endpoints and webhooks name, and no other. The parts of a request that a
// method takes by other means, in headers or as its choice of fields, are left out.
import type { Contract, EndpointShape, MessageShape } from './contract.ts';
import { directionsOf, heading, nameOf } from './direction.ts';
import { eventMessages } from './event_table.ts';
import { documentation } from './typescript.ts';

/** Messages that clients read beside the answers of endpoints. */
const ALONE = ['ErrorObject', 'EventEnvelope'];

/** Payment providers call it, with a body as it comes: no client of ours does. */
const isCallback = ({ body, access }: EndpointShape): boolean =>
  access.key === 'none' && (body?.raw.includes('application/json') ?? false);

export const clientEndpoints = ({ endpoints }: Contract): EndpointShape[] =>
  endpoints.filter((endpoint) => !isCallback(endpoint));

/** The messages that a client sends or reads. */
export const clientMessages = (contract: Contract): ReadonlySet<MessageShape> => {
  const reached = new Set<MessageShape>();
  const reach = (message: MessageShape): void => {
    if (reached.has(message)) return;
    reached.add(message);
    for (const { shape } of message.fields) if (shape.kind === 'message') reach(shape.message);
  };
  for (const { rpc } of clientEndpoints(contract)) {
    reach(rpc.request);
    reach(rpc.response);
  }
  for (const { message } of eventMessages(contract)) reach(message);
  for (const file of contract.files)
    for (const message of file.messages) if (ALONE.includes(message.name)) reach(message);
  return reached;
};

/** `fields` is each method's own; a header that repeats a field of the query or body is left out. */
export const isArgument = ({ name, header, network, newSession }: MessageShape['fields'][number]): boolean =>
  name !== 'fields' && !network && !newSession && !(header !== '' && name.endsWith('_header'));

export const clientTypesOf = (contract: Contract): string => {
  const messages = clientMessages(contract);
  const requests = new Set(clientEndpoints(contract).map(({ rpc }) => rpc.request));
  const isCut = (message: MessageShape): boolean => requests.has(message) && !message.fields.every(isArgument);
  const imports: string[] = [];
  const types: string[] = [];
  for (const file of contract.files) {
    const known = file.messages.filter((message) => messages.has(message));
    const names = known.flatMap((message) =>
      directionsOf(message)
        .filter((direction) => direction === 'output' || !isCut(message))
        .map((direction) => nameOf(message, direction)),
    );
    if (names.length > 0) types.push(`export type { ${names.sort().join(', ')} } from '../${file.name}.ts';`);
    const cut = known.filter(isCut);
    if (cut.length > 0) imports.push(`import type * as ${file.name} from '../${file.name}.ts';`);
    for (const message of cut) types.push(...documentation(message.comment, ''), cutRequest(message, file.name));
  }
  return `${[heading('stoa/v1/*.proto'), ...imports, '', ...types].join('\n')}\n`;
};

const cutRequest = (message: MessageShape, file: string): string => {
  const name = nameOf(message, 'input');
  const left = message.fields.filter((field) => !isArgument(field)).map((field) => JSON.stringify(field.name));
  return `export type ${name} = Omit<${file}.${name}, ${left.join(' | ')}>;`;
};
