// Writes the route table: one row an endpoint, all that the edge knows of it.
import type { Contract, EndpointShape, FieldShape, MessageShape } from './contract.ts';
import { heading, nameOf } from './direction.ts';

type Tree = { [name: string]: true | 'any' | Tree };

export const routeTableOf = ({ files, endpoints }: Contract): string => {
  const used = new Set(endpoints.flatMap(({ rpc }) => [rpc.request.file, rpc.response.file]));
  return `${[
    heading('stoa/v1/*.proto'),
    "import type { Route } from '#proto/route.ts';",
    ...files.filter((file) => used.has(file.name)).map(({ name }) => `import * as ${name} from './${name}.schema.ts';`),
    "import { operations } from './openapi.ts';",
    '',
    'export const routes: readonly Route[] = [',
    ...endpoints.map(row),
    '];',
  ].join('\n')}\n`;
};

const row = (endpoint: EndpointShape): string => {
  const { rpc, access } = endpoint;
  const name = `${rpc.service}/${rpc.name}`;
  const fields = rpc.request.fields.some((field) => field.name === 'fields')
    ? treeUnder(rpc.response, endpoint.envelope)
    : null;
  const lines = {
    verb: text(endpoint.verb),
    path: text(endpoint.path.replace(/\{([^}]*)\}/g, ':$1')),
    rpc: text(name),
    writes: endpoint.writes,
    access: `{ key: ${text(access.key)}, session: ${text(access.session)}, signed: ${access.signed}, live_only: ${access.live_only}, ${access.staff ? 'staff: true, ' : ''}wholesale: ${access.wholesale}, merchant: ${access.merchant}, operator: ${access.operator}, scope: ${text(access.scope)} }`,
    limit: text(endpoint.limit),
    cache: text(endpoint.cache),
    status: endpoint.status,
    envelope: text(endpoint.envelope),
    ...(endpoint.timeoutMs > 0 ? { timeout_ms: endpoint.timeoutMs } : {}),
    ...(endpoint.atOnce > 0 ? { at_once: endpoint.atOnce } : {}),
    ...(endpoint.oauth ? { oauth: 'true' } : {}),
    ...(endpoint.rendersFields ? { renders_fields: 'true' } : {}),
    ...(endpoint.view ? { view: text(endpoint.view) } : {}),
    fields: JSON.stringify(fields),
    body: JSON.stringify(endpoint.body),
    params: parameters(endpoint.params),
    query: parameters(endpoint.query),
    headers: JSON.stringify(endpoint.headers.map(({ name, header }) => ({ name, header }))),
    ...(endpoint.network ? { network: text(endpoint.network.name) } : {}),
    ...(endpoint.language ? { language: text(endpoint.language.name) } : {}),
    ...(endpoint.fileName ? { file_name: text(endpoint.fileName.name) } : {}),
    ...(endpoint.newSession ? { new_session: text(endpoint.newSession.name) } : {}),
    ...(endpoint.endsSession ? { ends_session: 'true' } : {}),
    request: `${rpc.request.file}.${nameOf(rpc.request, 'input')}`,
    response: `${rpc.response.file}.${nameOf(rpc.response, 'output')}`,
    produces: text(endpoint.produces),
    operation: `operations[${text(name)}]!`,
  };
  return `  {\n${Object.entries(lines)
    .map(([key, value]) => `    ${key}: ${value},`)
    .join('\n')}\n  },`;
};

const text = (value: string): string => JSON.stringify(value);

const parameters = (fields: readonly FieldShape[]): string =>
  `[${fields.map((field) => `{ name: ${text(field.name)}, type: ${text(parameterType(field))} }`).join(', ')}]`;

const parameterType = ({ shape, many }: FieldShape): string => {
  if (many === 'list') return 'texts';
  if (shape.kind === 'number') return shape.range ? 'integer' : 'number';
  return shape.kind === 'boolean' ? 'boolean' : 'text';
};

/** The names that `fields` may hold: those of the resource inside its envelope, of one item where it is a list. */
const treeUnder = (response: MessageShape, envelope: string): Tree => {
  const inner = response.fields.find((field) => field.name === envelope)?.shape;
  return treeOf(inner?.kind === 'message' ? inner.message : response);
};

const treeOf = (message: MessageShape): Tree =>
  Object.fromEntries(
    message.fields.flatMap(({ name, shape, many, unnamed }): [string, Tree[string]][] => {
      if (unnamed) return [];
      if (many === 'map' || shape.kind === 'object' || shape.kind === 'any') return [[name, 'any']];
      return [[name, shape.kind === 'message' ? treeOf(shape.message) : true]];
    }),
  );
