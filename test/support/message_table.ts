// Builds the table of refusals from the source: each call that makes one, with its code, message, param and hint.
import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Message {
  readonly code: string;
  readonly text: string;
  readonly param: string;
  readonly hint: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Text and number constants by name; null for a name with several values. */
type Constants = ReadonlyMap<string, string | null>;

const UPPER_CASE = /^[A-Z][A-Z\d_]*$/;

const constantsOf = (programs: readonly Node[]): Constants => {
  const found = new Map<string, string | null>();
  const walk = (node: Node): void => {
    const name = (node.id as Node | null)?.name as string | undefined;
    const value = (node.init as Node | null)?.value;
    if (node.type === 'VariableDeclarator' && name && UPPER_CASE.test(name)) {
      const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : null;
      found.set(name, found.has(name) && found.get(name) !== text ? null : text);
    }
    for (const child of childrenOf(node)) walk(child);
  };
  for (const program of programs) walk(program);
  return found;
};

/** The last name of an expression: `price` of `row.price`, `nameOf` of `nameOf(row)`. */
const nameOf = (node: Node): string => {
  const inner = (node.property ?? node.callee ?? node.expression ?? node.argument ?? node.left) as Node | undefined;
  if (typeof node.name === 'string') return node.name;
  return inner ? nameOf(inner) : '…';
};

/** A value in a message. `quoted` and `counted` are shown by what they are given. */
const holeOf = (node: Node, constants: Constants): string => {
  const [first, second] = (node.arguments ?? []) as Node[];
  const called = node.type === 'CallExpression' ? (node.callee as Node).name : undefined;
  if (called === 'quoted' && first) return `"{${nameOf(first)}}"`;
  if (called === 'counted' && first && second) return `${holeOf(first, constants)} ${String(second.value)}s`;
  return constants.get(nameOf(node)) ?? `{${nameOf(node)}}`;
};

/** The texts that an expression may have, with `{name}` for its holes; none for one that is made elsewhere. */
const textsOf = (node: Node | undefined, constants: Constants): readonly string[] => {
  if (!node) return [''];
  if (node.type === 'Literal') return [String(node.value ?? '')];
  if (node.type === 'Identifier') {
    const value = constants.get(String(node.name));
    return typeof value === 'string' ? [value] : [];
  }
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((branch) => textsOf(branch as Node, constants));
  if (node.type !== 'TemplateLiteral') return [];
  const holes = (node.expressions as Node[]).map((hole) => holeOf(hole, constants));
  const pieces = (node.quasis as Node[]).map(({ value }) => (value as { readonly cooked: string }).cooked);
  return [pieces.map((piece, at) => piece + (holes[at] ?? '')).join('')];
};

/** A field of the third argument, `{ param, hint }`; an expression that is made elsewhere is shown by its name. */
const fieldOf = (extra: Node | undefined, name: string, constants: Constants): string => {
  const fields = extra?.type === 'ObjectExpression' ? (extra.properties as Node[]) : [];
  const value = fields.find(({ key }) => (key as Node | undefined)?.name === name)?.value as Node | undefined;
  if (!value) return '';
  const texts = textsOf(value, constants);
  return texts.length > 0 ? texts.join(' / ') : `{${nameOf(value)}}`;
};

const paramOf = (node: Node | undefined, constants: Constants): string => {
  if (!node) return '';
  const texts = textsOf(node, constants);
  return texts.length > 0 ? texts.join(' / ') : `{${nameOf(node)}}`;
};

const messagesOfCall = (node: Node, constants: Constants): readonly Message[] => {
  const [first, second, third, fourth] = node.arguments as Node[];
  const make = (codes: readonly string[], texts: readonly string[], param: string, hint = ''): Message[] =>
    codes.flatMap((code) => texts.map((text) => ({ code, text, param, hint })));
  switch ((node.callee as Node).name) {
    case 'refuse':
    case 'Refusal':
      return make(
        textsOf(first, constants),
        textsOf(second, constants),
        fieldOf(third, 'param', constants),
        fieldOf(third, 'hint', constants),
      );
    case 'invalid':
      return make(['invalid_request'], textsOf(second, constants), paramOf(first, constants));
    case 'notFound':
      return make(
        ['not_found'],
        textsOf(first, constants).map((what) => `No such ${what}.`),
        paramOf(second, constants),
      );
    case 'badAmount':
      return make(
        ['invalid_request'],
        [
          '`{param}` is {amount}: amounts in {code} have at most {exponent} decimals.',
          '`{param}` is {amount}: amounts are at most 99,999,999.99.',
        ],
        paramOf(first, constants),
      );
    case 'pastTime':
      return make(
        ['invalid_request'],
        ['`{param}` is {time}, which is in the past. Send a later time.'],
        paramOf(first, constants),
      );
    case 'excessiveTotal':
      return make(
        ['invalid_request'],
        ["The total is {total}: an order's total is at most 99,999,999.99. Split the order."],
        paramOf(second, constants),
      );
    case 'impossibleTransition':
      return make(
        ['conflict'],
        textsOf(first, constants).map((subject) => `${subject} that is {from} cannot become {to}.`),
        paramOf(fourth, constants),
      );
    default:
      return [];
  }
};

export const messagesIn = (sources: readonly string[]): readonly Message[] => {
  const programs = sources.map((source) => parseAst(source, { lang: 'ts' }) as unknown as Node);
  const shared = constantsOf(programs);
  const found: Message[] = [];
  const walk = (node: Node, constants: Constants): void => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') found.push(...messagesOfCall(node, constants));
    for (const child of childrenOf(node)) walk(child, constants);
  };
  for (const program of programs) walk(program, new Map([...shared, ...constantsOf([program])]));
  return found.filter(({ code, text }) => /^[a-z_]+$/.test(code) && text !== '');
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A table for each code, its messages in alphabetical order; equal messages are one row with all their params. */
export const messageTables = (messages: readonly Message[]): string => {
  const rows = new Map<string, { readonly message: Message; readonly params: Set<string> }>();
  for (const message of messages) {
    const key = JSON.stringify([message.code, message.text, message.hint]);
    const row = rows.get(key) ?? { message, params: new Set() };
    if (message.param !== '') row.params.add(message.param);
    rows.set(key, row);
  }
  const codes = [...new Set(messages.map(({ code }) => code))].sort(compare);
  return codes
    .map((code) => {
      const own = [...rows.values()]
        .filter(({ message }) => message.code === code)
        .sort((one, other) => compare(one.message.text, other.message.text));
      const lines = own.map(({ message, params }) => {
        const names = [...params].sort(compare).map((name) => `\`${name}\``);
        return `| ${cell(message.text)} | ${cell(names.join(', '))} | ${cell(message.hint)} |`;
      });
      return [`## ${code}`, '', '| Message | Param | Hint |', '|---|---|---|', ...lines, ''].join('\n');
    })
    .join('\n');
};
