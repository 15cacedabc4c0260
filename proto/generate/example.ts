// Makes a true-to-life JSON value of a message for the documentation, from the fields' own examples or the samples of their
// names.
import type { Bounds, FieldShape, FieldType, MessageShape } from './contract.ts';
import type { Direction } from './direction.ts';
import { idOf, sampleOf } from './sample.ts';

const FORMATS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://cdn.example.com/trail-shoe.jpg',
  'http-url': 'https://shop.example.com/',
  'media-url': 'https://cdn.example.com/trail-shoe.jpg',
  'date-time': '2026-01-31T09:10:00.000Z',
  date: '2026-01-31',
  currency: 'USD',
};

/** `fields` are those of the message that are shown; of fields of which one alone is due, the first. */
export const exampleOf = (
  message: MessageShape,
  direction: Direction,
  fields: readonly FieldShape[] = message.fields,
): Record<string, unknown> => {
  const passedOver = unchosen(message);
  return Object.fromEntries(
    fields
      .filter(({ name, absent }) => !(passedOver.has(name) && (direction === 'input' || absent)))
      .map((field) => [field.name, fieldExample(message, field, direction)])
      .filter(([, value]) => value !== undefined),
  );
};

const unchosen = ({ oneOf, anyOf }: MessageShape): ReadonlySet<string> => {
  const [chosen = [], ...others] = oneOf.length > 0 ? oneOf : anyOf;
  return new Set(others.flat().filter((name) => !chosen.includes(name)));
};

/** Undefined where only its author could know a value, and it may be left out. */
const fieldExample = (message: MessageShape, field: FieldShape, direction: Direction): unknown => {
  if (field.example !== undefined) return field.example;
  const sample = sampleOf(message.name, field);
  if (sample !== undefined) return sample === null && !field.nullable ? undefined : sample;
  const one = shapeExample(message, field, direction);
  if (one === undefined) return field.nullable ? null : undefined;
  if (field.many === 'list') return [one];
  if (field.many === 'map') return { key: one };
  return one;
};

const shapeExample = (message: MessageShape, { shape, name }: FieldShape, direction: Direction): unknown => {
  switch (shape.kind) {
    case 'text':
      if (shape.format === 'uuid') return idOf(name === 'id' ? message.name : name.replace(/_ids?$/, ''));
      return shape.among?.[0] ?? (shape.format && FORMATS[shape.format]);
    case 'number':
      return within(shape, shape.money ? 19.99 : 1);
    case 'boolean':
      return true;
    case 'bytes':
      return '';
    case 'message':
      return exampleOf(shape.message, direction);
    case 'object':
      return {};
    case 'array':
      return [];
    case 'any':
      return shape.type?.endsWith('[]') ? [] : null;
  }
};

const within = ({ bounds }: Extract<FieldType, { kind: 'number' }>, preferred: number): number => {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Bounds = bounds;
  const low = minimum ?? exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const high = maximum ?? exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  if (preferred > low && preferred < high) return preferred;
  if (minimum !== undefined || maximum !== undefined) return (minimum ?? maximum)!;
  if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
  return Number.isFinite(low) ? low + 1 : high - 1;
};
