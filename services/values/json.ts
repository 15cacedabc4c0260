// Parses JSON strictly: rejects duplicate keys, excessive depth, NUL, lone surrogates and numbers beyond a double, and
// names the field's path. Writes JSON in canonical form.
import { parseExact } from './numeral.ts';

export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly param?: string };

const JSON_DEPTH_MAX = 32;

const OUT_OF_RANGE = 'The number is out of range.';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const bad = (message: string, param?: string): StrictJson =>
  param ? { ok: false, message, param } : { ok: false, message };

export function parseStrict(bytes: Uint8Array): StrictJson {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return bad('The body must not begin with a byte-order mark.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return bad('The body is not valid UTF-8.');
  }
  // Checks the depth first, since hostile nesting would overflow the recursive parser's stack.
  const members = countMembers(text);
  if (members < 0) return bad(`The body is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    const path = findNoNumber(text);
    return path ? bad('NaN and Infinity are no numbers in JSON.', path) : bad('The body is not valid JSON.');
  }
  const seen: Seen = { members: 0, problem: '', path: '' };
  inspect(value, '', seen);
  if (seen.problem) return bad(seen.problem, seen.path);
  if (seen.members !== members) {
    const path = findDuplicate(text);
    return bad(`The key ${JSON.stringify(path.slice(path.lastIndexOf('.') + 1))} stands twice in one object.`, path);
  }
  return { ok: true, value };
}

function stringEnd(text: string, open: number): number {
  let end = open;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** Counts object members by the colons outside of strings; -1 where the text is nested too deeply. */
function countMembers(text: string): number {
  let members = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = stringEnd(text, i);
        break;
      case 0x3a:
        members++;
        break;
      case 0x7b:
      case 0x5b:
        if (++depth > JSON_DEPTH_MAX) return -1;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
    }
  }
  return members;
}

interface Seen {
  members: number;
  problem: string;
  path: string;
}

const textProblem = (text: string): string => {
  if (text.includes('\0')) return 'Texts must not contain NUL.';
  return text.isWellFormed() ? '' : 'Texts must not contain a lone surrogate.';
};

function inspect(value: unknown, path: string, seen: Seen): void {
  if (seen.problem) return;
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem) Object.assign(seen, { problem, path });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) Object.assign(seen, { problem: OUT_OF_RANGE, path });
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) inspect(value[i], `${path}[${i}]`, seen);
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      seen.members++;
      const problem = textProblem(key);
      if (problem) {
        Object.assign(seen, { problem, path });
        return;
      }
      inspect((value as Record<string, unknown>)[key], path ? `${path}.${key}` : key, seen);
    }
  }
}

/** Returns the path of the first NaN or Infinity in a text that is otherwise JSON; empty for any other text. */
function findNoNumber(text: string): string {
  let spelled = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') i = stringEnd(text, i);
    const word = char === 'N' ? 'NaN' : char === 'I' ? 'Infinity' : '';
    if (word === '' || !text.startsWith(word, i)) continue;
    // Writes a numeral beyond a double's range in place of the word, which `inspect` then reports.
    spelled += `${text.slice(from, i)}1e999`;
    i += word.length - 1;
    from = i + 1;
  }
  if (from === 0) return '';
  try {
    const seen: Seen = { members: 0, problem: '', path: '' };
    inspect(JSON.parse(spelled + text.slice(from)), '', seen);
    return seen.problem === OUT_OF_RANGE ? seen.path : '';
  } catch {
    return '';
  }
}

function findDuplicate(text: string): string {
  interface Level {
    readonly keys: Set<string> | null;
    index: number;
    key: string;
  }
  const stack: Level[] = [];
  const colon = /\s*:/y;
  const path = (): string =>
    stack
      .map((level) => (level.keys ? `.${level.key}` : `[${level.index}]`))
      .join('')
      .slice(1);
  for (let i = 0; i < text.length; i++) {
    const top = stack[stack.length - 1];
    switch (text[i]) {
      case '"': {
        const end = stringEnd(text, i);
        colon.lastIndex = end + 1;
        if (top?.keys && colon.test(text)) {
          top.key = JSON.parse(text.slice(i, end + 1)) as string;
          if (top.keys.has(top.key)) return path();
          top.keys.add(top.key);
        }
        i = end;
        break;
      }
      case '{':
        stack.push({ keys: new Set(), index: 0, key: '' });
        break;
      case '[':
        stack.push({ keys: null, index: 0, key: '' });
        break;
      case ',':
        if (top) top.index++;
        break;
      case '}':
      case ']':
        stack.pop();
    }
  }
  return '';
}

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, ordered(each)]),
  );
};

/** Writes JSON with sorted names. An absent field and a null field give different texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value));
