// Options that distinguish a product's variants. Pure.
import { invalid, type Refusal } from '#runtime/call/call.ts';
import { nameKey } from '#values/text.ts';

interface Optioned {
  readonly id: string;
  readonly attributes: string | null;
}

/** Returns a key that is equal for the same options in any order and letter case; null without options. */
export const optionsKey = (attributes: string | null): string | null => {
  if (attributes === null || attributes === '{}') return null;
  const options = Object.entries(JSON.parse(attributes) as Record<string, unknown>).map(
    ([name, value]) => [nameKey(name), nameKey(String(value))] as const,
  );
  return JSON.stringify(options.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const sameOptions = (path: string): Refusal =>
  invalid(`${path}variant_attributes`, 'Another variant of this product has the same options. Change one of them.');

export const refuseSameOptions = ({ id, attributes }: Optioned, others: readonly Optioned[]): Refusal | null => {
  const key = optionsKey(attributes);
  return key !== null && others.some((other) => other.id !== id && optionsKey(other.attributes) === key)
    ? sameOptions('')
    : null;
};

export const refuseRepeatedOptions = (variants: readonly Optioned[]): Refusal | null => {
  const seen = new Set<string | null>();
  for (const [at, { attributes }] of variants.entries()) {
    const key = optionsKey(attributes);
    if (key !== null && seen.has(key)) return sameOptions(`variants[${at}].`);
    seen.add(key);
  }
  return null;
};
