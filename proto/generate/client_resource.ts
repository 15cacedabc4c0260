// Writes the client's resources: for each kind of key a tree of methods with their types, and what each one sends as a line.
import { isArgument } from './client_message.ts';
import { placeOf } from './client_name.ts';
import type { EndpointShape, MessageShape } from './contract.ts';
import { heading, nameOf } from './direction.ts';

/** A method where it is an endpoint's, else what stands below a name. */
type Node = EndpointShape | Tree;
type Tree = Map<string, Node>;

/** An attempt of a slower endpoint lasts as long as its call. */
const SLOW_MS = 15_000;

const isTree = (node: Node): node is Tree => node instanceof Map;

/** `Storefront`: the tree of those endpoints, as one interface, and a constant for each of its branches. */
export const clientResourcesOf = (name: string, endpoints: readonly EndpointShape[]): string => {
  const tree = treeOf(endpoints);
  const branches = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
  const constants = branches.map(([branch]) => branch);
  return `${[
    heading('stoa/v1/*.proto'),
    ...importLines(endpoints),
    '',
    `export interface ${name}Resources {`,
    ...branches.flatMap(([branch, node]) => memberLines(branch, node, '  ')),
    '}',
    ...branches.flatMap(([branch, node]) => [
      '',
      `export const ${branch}: ClientResource<${name}Resources['${branch}']> = {`,
      `  routes: ${routesOf(node, '  ')},`,
      '};',
    ]),
    '',
    `export const ${name[0]!.toLowerCase()}${name.slice(1)}Resources = {`,
    ...constants.map((constant) => `  ${constant},`),
    '};',
  ].join('\n')}\n`;
};

const treeOf = (endpoints: readonly EndpointShape[]): Tree => {
  const root: Tree = new Map();
  for (const endpoint of endpoints) {
    const { resource, method } = placeOf(endpoint);
    const branch = resource.reduce((tree: Tree, name) => {
      const below = tree.get(name) ?? new Map<string, Node>();
      if (!isTree(below)) throw new Error(`${endpoint.operation}: ${name} is a method and a resource of the client.`);
      tree.set(name, below);
      return below;
    }, root);
    if (branch.has(method)) throw new Error(`${endpoint.operation}: the client has ${method} twice.`);
    branch.set(method, endpoint);
  }
  return root;
};

const importLines = (endpoints: readonly EndpointShape[]): string[] => {
  const names = new Set<string>();
  for (const endpoint of endpoints) {
    if (argumentsOf(endpoint).length > 0) names.add(nameOf(endpoint.rpc.request, 'input'));
    if (isJson(endpoint)) names.add(nameOf(endpoint.rpc.response, 'output'));
    if (chooses(endpoint)) names.add(nameOf(chosenOf(endpoint), 'output'));
  }
  return [
    `import type { ${usedKinds(endpoints).join(', ')} } from '#proto/client/method.ts';`,
    "import type { ClientResource } from '#proto/client/resource.ts';",
    `import type { ${[...names].sort().join(', ')} } from './message.ts';`,
  ];
};

const usedKinds = (endpoints: readonly EndpointShape[]): string[] => [
  'CallOptions',
  ...(endpoints.some(chooses) ? ['Choice', 'Chosen', 'FieldNames'] : []),
  ...(endpoints.some(isPaged) ? ['Listing'] : []),
  ...(endpoints.some(({ fileName }) => fileName) ? ['Upload'] : []),
];

const isJson = ({ produces }: EndpointShape): boolean => produces === 'application/json';
const chooses = ({ rpc }: EndpointShape): boolean => rpc.request.fields.some(({ name }) => name === 'fields');
const isPaged = ({ rpc, envelope }: EndpointShape): boolean =>
  envelope !== '' &&
  rpc.request.fields.some(({ name }) => name === 'cursor') &&
  rpc.response.fields.some(({ name, many }) => name === envelope && many === 'list');
const argumentsOf = ({ rpc }: EndpointShape) => rpc.request.fields.filter(isArgument);

/** The message whose fields `fields` names: the resource inside its envelope, one item when it is a list. */
const chosenOf = ({ rpc, envelope }: EndpointShape): MessageShape => {
  const inner = rpc.response.fields.find(({ name }) => name === envelope)?.shape;
  return inner?.kind === 'message' ? inner.message : rpc.response;
};

const memberLines = (name: string, node: Node, indent: string): string[] =>
  isTree(node)
    ? [
        `${indent}readonly ${name}: {`,
        ...[...node].sort(byMethodFirst).flatMap(([below, child]) => memberLines(below, child, `${indent}  `)),
        `${indent}};`,
      ]
    : methodLines(name, node, indent);

const byMethodFirst = ([a, one]: [string, Node], [b, other]: [string, Node]): number =>
  Number(isTree(one)) - Number(isTree(other)) || (a < b ? -1 : 1);

const methodLines = (name: string, endpoint: EndpointShape, indent: string): string[] => {
  const chosen = chooses(endpoint);
  const request = requestOf(endpoint);
  const generic = chosen ? `<const F extends FieldNames<${nameOf(chosenOf(endpoint), 'output')}> = undefined>` : '';
  return [
    ...documentation(endpoint, indent),
    `${indent}${name}${generic}(${request}options?: CallOptions): ${answerOf(endpoint)};`,
  ];
};

const requestOf = (endpoint: EndpointShape): string => {
  const said = argumentsOf(endpoint);
  const parts = [
    ...(said.length > 0 ? [nameOf(endpoint.rpc.request, 'input')] : []),
    ...(chooses(endpoint) ? ['Choice<F>'] : []),
    ...(endpoint.fileName ? ['Upload'] : []),
  ];
  if (parts.length === 0) return '';
  const { oneOf, anyOf } = endpoint.rpc.request;
  const needed = said.some(({ required }) => required) || endpoint.fileName !== null || oneOf.length + anyOf.length > 0;
  return `request${needed ? '' : '?'}: ${parts.join(' & ')}, `;
};

const answerOf = (endpoint: EndpointShape): string => {
  const { rpc, envelope, produces } = endpoint;
  if (!isJson(endpoint)) return `Promise<${/^text|xml/.test(produces) ? 'string' : 'Uint8Array'}>`;
  const whole = nameOf(rpc.response, 'output');
  const answer = chooses(endpoint) ? `Chosen<${whole}, ${JSON.stringify(envelope)}, F>` : whole;
  return isPaged(endpoint) ? `Listing<${answer}, ${JSON.stringify(envelope)}>` : `Promise<${answer}>`;
};

const documentation = ({ rpc, verb, path, access }: EndpointShape, indent: string): string[] => {
  const lines = [
    ...(rpc.comment ? [...rpc.comment.replaceAll('*/', '* /').split('\n'), ''] : []),
    `\`${verb} ${path}\`${access.session === 'customer' ? ', for a signed-in shopper' : ''}`,
  ];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
};

const routesOf = (node: Node, indent: string): string =>
  isTree(node)
    ? `{\n${[...node]
        .sort(byMethodFirst)
        .map(([name, child]) => `${indent}  ${name}: ${routesOf(child, `${indent}  `)},`)
        .join('\n')}\n${indent}}`
    : JSON.stringify(lineOf(node));

/**
 * `POST /v1/cart/items n` or `GET /v1/products - products`: verb, path, one letter for each trait (`-`: none), the paged
 * list, and `name=header` for arguments sent in a header. proto/client/route.ts reads the line and explains the letters.
 */
const lineOf = (endpoint: EndpointShape): string => {
  const { verb, path, access, limit, writes, body, headers, network, timeoutMs, fileName } = endpoint;
  const named = access.session === 'when_named' || access.session === 'named_or_store';
  const letters = [
    access.key === 'none' ? 'k' : '',
    access.signed ? 's' : '',
    access.session === 'customer' || access.session === 'or_store' ? 'c' : '',
    named ? 'n' : '',
    access.session === 'when_named' ||
    (network && access.key !== 'none') ||
    headers.some(({ name }) => name === 'session_header')
      ? 'v'
      : '',
    !writes && verb !== 'GET' ? 'r' : '',
    writes && (limit === 'auth' || limit === 'reset' || access.key === 'none') ? 'o' : '',
    body === null && verb !== 'GET' && verb !== 'DELETE' ? 'q' : '',
    timeoutMs > SLOW_MS ? 'l' : '',
    fileName ? 'f' : '',
    isJson(endpoint) ? '' : /^text|xml/.test(endpoint.produces) ? 't' : 'b',
  ].join('');
  const sent = headers.filter(isArgument).map(({ name, header }) => `${name}=${header.toLowerCase()}`);
  const list = isPaged(endpoint) ? endpoint.envelope : '';
  const rest = [letters || '-', list || '-', ...sent];
  while (rest.at(-1) === '-') rest.pop();
  return [verb, path, ...rest].join(' ');
};
