// Finds regular expressions whose time grows with the square of a text's length, or faster.
import { analyse } from 'scslre';
import { parseAst } from 'vitest/node';

/** Files with slow patterns, and the texts that meet them. */
export const SLOW_PATTERNS_IN: Readonly<Record<string, string>> = {
  'edge/pages/storefront/request_snippet.ts': 'JSON that the shop itself wrote',
  'proto/client/pack.ts': 'the guide to the client',
  'proto/client/route.ts': 'a path of the contract',
  'proto/client/transport.ts': 'an address in the settings, in browsers that know no lookbehind',
  'proto/generate/endpoint.ts': 'a path of the contract',
  'proto/generate/reader.ts': 'the same',
  'proto/generate/route_table.ts': 'the same',
  'services/cli/installation.mjs': 'a file of this machine',
  'services/cli/local/apt_source.ts': 'the same',
  'services/cli/local/nats_binary.ts': 'what a program of this machine prints',
  'services/cli/stoa.mjs': 'a file of the kernel',
  'services/runtime/postgres/migration.ts': 'a migration of ours',
  'services/values/numeral.ts': 'a numeral that JSON.parse has read',
};

interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

const isPattern = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;

/** Returns every regular expression that a source file spells. */
const patternsIn = (node: unknown): readonly Pattern[] => {
  if (typeof node !== 'object' || node === null) return [];
  if ('regex' in node && isPattern(node.regex)) return [node.regex];
  return Object.values(node).flatMap(patternsIn);
};

/** Matches a repetition of any character in a group that is repeated itself, which the analysis does not see. */
const ANY_IN_REPEATED =
  /\((?:\?:)?(?:[^()\\]|\\.)*?(?:(?<!\\)\.|\[\\s\\S\]|\[\^\])[*+](?:[^()\\]|\\.)*\)(?:[*+]|\{\d*,\})/;

const isSlow = ({ pattern, flags }: Pattern): boolean =>
  ANY_IN_REPEATED.test(pattern) || analyse({ source: pattern, flags }).reports.length > 0;

/** `tsx`: whether the file holds elements. */
export const slowPatterns = (text: string, tsx: boolean): readonly string[] =>
  patternsIn(parseAst(text, { lang: tsx ? 'tsx' : 'ts' }))
    .filter(isSlow)
    .map(({ pattern, flags }) => `/${pattern}/${flags}`);
