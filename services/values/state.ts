// Maps codes of states and provinces (ISO 3166-2) and their English names in CLDR to one code.
import aliases from 'cldr-core/supplemental/aliases.json' with { type: 'json' };
import english from 'cldr-subdivisions-full/subdivisions/en/en.json' with { type: 'json' };

/** English names, keyed by country and code in lower case: `ustx`. */
const NAMES: Readonly<Record<string, string>> = english.subdivisions.localeDisplayNames.subdivisions;
const REPLACEMENTS: Readonly<Record<string, { readonly _replacement: string }>> = {
  ...aliases.supplemental.metadata.alias.subdivisionAlias,
  mxdif: { _replacement: 'mxcmx' },
};
const NAMES_MISSING_IN_CLDR: readonly (readonly [id: string, name: string])[] = [
  ['usdc', 'District of Columbia'],
  ['esmd', 'Madrid'],
];
/**
 * The kind of division at the end of a state's name, such as `County` in `Nairobi County`. People may omit this word if
 * the rest of the name is unique in the country.
 */
const KIND =
  / (?:autonomous (?:community|region)|county|city|department|district|governorate|municipality|oblast|parish|prefecture|province|region|state)$/i;

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, '')
    .normalize('NFC')
    .toUpperCase();

const replaced = (id: string): string => {
  const other = REPLACEMENTS[id]?._replacement;
  return other?.startsWith(id.slice(0, 2)) ? other : id;
};

const tables = (): Map<string, Map<string, string>> => {
  const known = new Map<string, Map<string, string>>();
  const of = (id: string): Map<string, string> => {
    const country = id.slice(0, 2).toUpperCase();
    const table = known.get(country) ?? new Map<string, string>();
    known.set(country, table);
    return table;
  };
  const codeOf = (id: string): string => id.slice(2).toUpperCase();
  for (const id of Object.keys(NAMES)) of(id).set(codeOf(id), codeOf(replaced(id)));
  for (const id of Object.keys(REPLACEMENTS)) if (replaced(id) !== id) of(id).set(codeOf(id), codeOf(replaced(id)));
  for (const [id, name] of [...Object.entries(NAMES), ...NAMES_MISSING_IN_CLDR]) {
    const table = of(id);
    const twin = table.get(folded(name));
    // Two codes with one name are an old and a new code of the same state: both map to the first.
    if (twin === undefined) table.set(folded(name), codeOf(replaced(id)));
    else table.set(codeOf(id), twin);
  }
  const short = new Map<string, Set<string>>();
  for (const [id, name] of Object.entries(NAMES)) {
    const key = folded(name.replace(KIND, ''));
    if (key === folded(name) || of(id).has(key)) continue;
    const path = `${id.slice(0, 2)} ${key}`;
    short.set(path, (short.get(path) ?? new Set()).add(id));
  }
  for (const [path, ids] of short) {
    const [id, other] = ids;
    if (other === undefined) of(id!).set(path.slice(3), codeOf(replaced(id!)));
  }
  return known;
};

let known: Map<string, Map<string, string>> | null = null;

/**
 * Returns a state's code, given its code (`TX`, `US-TX`) or English name (`Texas`). The country is in capitals. An
 * unknown text is returned folded, so that spellings compare equal; an empty text stays empty.
 */
export const stateCode = (country: string, text: string): string => {
  const key = folded(text);
  known ??= tables();
  const table = known.get(country);
  const within = key.startsWith(country) ? table?.get(key.slice(country.length)) : undefined;
  return table?.get(key) ?? within ?? key;
};
