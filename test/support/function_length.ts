// Counts the lines of each function, without those of functions inside it.
import { parseAst } from 'vitest/node';

export interface FunctionLength {
  readonly name: string;
  readonly line: number;
  /** From its first line to its last, without the lines of functions inside it. */
  readonly own: number;
  readonly whole: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const FUNCTIONS: readonly string[] = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

const nameOf = (value: unknown): string | null => {
  if (!isNode(value)) return null;
  if (typeof value.name === 'string') return value.name;
  return nameOf(value.id) ?? nameOf(value.key);
};

/** Every function of a file, by where it begins. `tsx`: whether it holds elements. */
export const functionLengths = (text: string, tsx: boolean): readonly FunctionLength[] => {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineOf = (at: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const found: FunctionLength[] = [];
  /** Returns how many lines functions within the node take. */
  const walk = (node: Node, name: string | null): number => {
    let inner = 0;
    const own = nameOf(node) ?? name;
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) inner += walk(child, own);
    if (!FUNCTIONS.includes(node.type)) return inner;
    const line = lineOf(node.start);
    const whole = lineOf(node.end) - line + 1;
    found.push({ name: own ?? 'a function', line, own: whole - inner, whole });
    // One within a line takes none of the lines around it.
    return whole > 1 ? whole : 0;
  };
  walk(parseAst(text, { lang: tsx ? 'tsx' : 'ts' }) as unknown as Node, null);
  return found.toSorted((a, b) => a.line - b.line);
};
