// Named values of a product as texts of a form: attributes, and lines of the specifications. Pure.
import type { Specification } from '#proto/client/dashboard.ts';

export interface NamedValue {
  readonly name: string;
  readonly value: string;
  /** Whether the value is a text, which may look like a number. */
  readonly isText: boolean;
}

export interface SpecificationLine extends NamedValue {
  /** Stays while the line is moved. */
  readonly key: string;
  readonly group: string;
  readonly unit: string;
}

const textOf = (value: unknown): Pick<NamedValue, 'value' | 'isText'> =>
  typeof value === 'string' ? { value, isText: true } : { value: JSON.stringify(value), isText: false };

/** A number, a boolean or an object that is typed as such stays one. */
const typedValue = ({ value, isText }: NamedValue): unknown => {
  if (isText) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

export const readAttributes = (attributes: Readonly<Record<string, unknown>> | null): readonly NamedValue[] =>
  Object.entries(attributes ?? {}).map(([name, value]) => ({ name, ...textOf(value) }));

const isNamed = ({ name }: NamedValue): boolean => name.trim() !== '';

export const writeAttributes = (values: readonly NamedValue[]): Record<string, unknown> | null => {
  const named = values.filter(isNamed);
  return named.length === 0 ? null : Object.fromEntries(named.map((each) => [each.name.trim(), typedValue(each)]));
};

export const readSpecifications = (lines: readonly Specification[]): readonly SpecificationLine[] =>
  lines.map(({ group, name, value, unit }, at) => ({
    key: String(at),
    group: group ?? '',
    name,
    unit: unit ?? '',
    ...textOf(value),
  }));

export const addLine = (lines: readonly SpecificationLine[]): readonly SpecificationLine[] => {
  const last = Math.max(-1, ...lines.map(({ key }) => Number(key)));
  const group = lines.at(-1)?.group ?? '';
  return [...lines, { key: String(last + 1), group, name: '', value: '', unit: '', isText: true }];
};

export const writeSpecifications = (lines: readonly SpecificationLine[]): Specification[] =>
  lines.filter(isNamed).map((line) => ({
    group: line.group.trim() || null,
    name: line.name.trim(),
    value: typedValue(line) as Specification['value'],
    unit: line.unit.trim() || null,
  }));

export const readList = (list: readonly string[] | null): string => (list ?? []).join(', ');

export const writeList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
