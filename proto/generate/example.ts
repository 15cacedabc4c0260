// Makes a believable JSON value of a message for the documentation, from the fields' own examples where they have one.
import type { Field, Shape } from './contract.ts';
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
  Object.fromEntries(fields.map((field) => [field.name, valueFor(field, flavour)]));

const valueFor = (field: Field, flavour: Flavour): unknown => {
  if (field.example !== undefined) return field.example;
  const one = shapeExample(field.shape, flavour, field.name);
  if (field.many === 'list') return [one];
  if (field.many === 'map') return { key: one };
  return one;
};

const shapeExample = (shape: Shape, flavour: Flavour, name: string): unknown => {
  switch (shape.kind) {
    case 'text':
      return shape.among?.[0] ?? (shape.format && FORMATS[shape.format]) ?? name;
    case 'number':
      if (shape.money) return 19.99;
      return shape.bounds.minimum !== undefined && shape.bounds.minimum > 0 ? shape.bounds.minimum : 1;
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
      return null;
  }
};
