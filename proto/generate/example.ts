// Makes a believable JSON value of a message for the documentation, from the fields' own examples where they have one.
import type { Bounds, Field, Shape } from './contract.ts';
import type { Flavour } from './flavour.ts';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '0f5c1d0e-6f1b-4c63-9d4e-2a7b8c9d0e1f',
  email: 'ada@example.com',
  uri: 'https://example.com/picture.jpg',
  'http-url': 'https://example.com/',
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  currency: 'USD',
};

export const exampleOf = (fields: readonly Field[], flavour: Flavour): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => !(isGuesswork(field) && (flavour === 'input' ? !field.required : field.absent)))
      .map((field) => [field.name, fieldExample(field, flavour)]),
  );

/** Only the author of a pattern knows a text that matches it: without an example such a field is left out, or null. */
const isGuesswork = ({ shape, example }: Field): boolean =>
  example === undefined && shape.kind === 'text' && shape.pattern !== undefined && !shape.among;

const fieldExample = (field: Field, flavour: Flavour): unknown => {
  if (field.example !== undefined) return field.example;
  if (field.nullable && isGuesswork(field)) return null;
  const one = shapeExample(field.shape, flavour, field.name);
  if (field.many === 'list') return [one];
  if (field.many === 'map') return { key: one };
  return one;
};

const shapeExample = (shape: Shape, flavour: Flavour, name: string): unknown => {
  switch (shape.kind) {
    case 'text':
      return (
        shape.among?.[0] ??
        (shape.format && FORMATS[shape.format]) ??
        name.slice(0, shape.max).padEnd(shape.min ?? 0, '0')
      );
    case 'number':
      return within(shape.bounds, shape.money ? 19.99 : 1);
    case 'boolean':
      return true;
    case 'bytes':
      return '';
    case 'message':
      return exampleOf(shape.message.fields, flavour);
    case 'object':
      return {};
    case 'array':
      return [];
    case 'any':
      return freeExample(shape.type ?? 'unknown', name);
  }
};

const within = ({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Bounds, wish: number): number => {
  const low = minimum ?? exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const high = maximum ?? exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  if (wish > low && wish < high) return wish;
  if (minimum !== undefined || maximum !== undefined) return (minimum ?? maximum)!;
  if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
  return Number.isFinite(low) ? low + 1 : high - 1;
};

const freeExample = (type: string, name: string): unknown => {
  if (type.endsWith('[]')) return [];
  return { string: name, number: 1, boolean: true }[type.split(' | ')[0]!] ?? null;
};
