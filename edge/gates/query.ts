// Parses the query string into typed values; ignores unknown parameters.
import type { Parameter } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { plainNumber } from '#values/numeral.ts';

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

export function decode(part: string): string | null {
  if (!part.includes('%') && !part.includes('+')) return part;
  try {
    const text = decodeURIComponent(part.replaceAll('+', ' '));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

const NONE_IGNORED: readonly string[] = [];

/** Names may be percent-encoded: `%6cimit` is `limit`. */
function nameOf(pair: string): string | null {
  const equals = pair.indexOf('=');
  return decode(equals < 0 ? pair : pair.slice(0, equals));
}

export function badPath(params: Readonly<Record<string, string>>): Refusal | null {
  for (const param in params)
    if (params[param]?.includes('\0')) return refuse('invalid_request', `\`${param}\` must not hold NUL.`, { param });
  return null;
}

export function readQuery(
  search: string,
  parameters: readonly Parameter[],
  request: Record<string, unknown>,
): Refusal | null {
  if (search === '') return null;
  for (const pair of search.split('&')) {
    const name = nameOf(pair);
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) continue;
    const param = parameter.name;
    if (Object.hasOwn(request, param))
      return refuse('invalid_request', `\`${param}\` is given more than once.`, { param });
    const equals = pair.indexOf('=');
    const text = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (text === null) return refuse('invalid_request', `\`${param}\` is not properly encoded.`, { param });
    const value = readValue(text, parameter.type);
    if (value === undefined)
      return refuse('invalid_request', `\`${param}\` must be ${EXPECTED[parameter.type]}.`, { param });
    request[param] = value;
  }
  return null;
}

const EXPECTED = {
  text: 'a text',
  texts: 'a comma-separated list',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
} as const;

function readValue(text: string, type: Parameter['type']): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'texts':
      return text.split(',').map((part) => part.trim());
    case 'integer':
      return INTEGER.test(text) ? Number(text) : undefined;
    case 'number':
      return NUMBER.test(text) ? (plainNumber(text) ?? undefined) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
  }
}

/**
 * Normalises a query for use in a cache key: sorts its parameters and drops unknown ones. Drops well-formed parameters
 * of `ignored` too, which do not change the response; a malformed one stays, because it is refused.
 */
export function canonicalQuery(
  search: string,
  parameters: readonly Parameter[],
  ignored: readonly string[] = NONE_IGNORED,
): string {
  if (search === '') return '';
  const left = ignored.length === 0 ? null : new Set(ignored);
  return search
    .split('&')
    .filter((pair) => {
      const name = nameOf(pair);
      if (left?.has(name ?? '') && decode(pair.slice(pair.indexOf('=') + 1)) !== null) {
        left.delete(name ?? '');
        return false;
      }
      return parameters.some((each) => each.name === name);
    })
    .sort()
    .join('&');
}
