// JSON texts that a schema takes, mixed with those that no endpoint should. `§product` stands for a record's id, which the test
// fills in.
import { Kind, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';

/** Values as JSON texts: what JSON.stringify would not write, too. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '[]',
    '{}',
    '""',
    '" "',
    '0',
    '-1',
    '-0',
    '1.005',
    '1e-7',
    '1e308',
    '2147483648',
    '9007199254740993',
    '99999999999999999999999',
    '"\\u0000"',
    '"\\ud83d"',
    '"\\u202e\\u0301"',
    '"null"',
    '"NaN"',
    '"__proto__"',
    `{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}`,
    `"'; drop table catalog.product; --"`,
    '"%00%ff../"',
    '"9999-12-31T23:59:59-14:00"',
    '"0001-01-01T00:00:00+14:00"',
    '"2026-01-01T00:00:00Z"',
    '"javascript:alert(1)"',
    '"http://169.254.169.254/"',
    '"https://example.com/\\u0001"',
    '"USD"',
    '"XXX"',
    '[null]',
    '[[[[[[[[]]]]]]]]',
    `"${'a'.repeat(70_000)}"`,
    `"${'🙂'.repeat(300)}"`,
    `[${'0,'.repeat(6_000)}0]`,
    `{${Array.from({ length: 400 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  ),
  fc.json({ maxDepth: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(...['product', 'variant', 'category', 'collection', 'priceList', 'feed'].map((name) => `§${name}`)),
);

/** A value that the schema takes, as far as a schema tells. */
const fitting = (schema: TSchema): fc.Arbitrary<string> => {
  const bounds = schema as {
    minimum?: number;
    maximum?: number;
    format?: string;
    pattern?: string;
    minLength?: number;
  };
  switch (schema[Kind]) {
    case 'Union':
      return fc.oneof(...(schema.anyOf as TSchema[]).map(fitting));
    case 'Literal':
      return fc.constant(JSON.stringify(schema.const));
    case 'Null':
      return fc.constant('null');
    case 'Boolean':
      return fc.boolean().map(String);
    case 'Integer':
      return fc
        .integer({ min: Math.max(bounds.minimum ?? 0, -(2 ** 31)), max: Math.min(bounds.maximum ?? 9, 2 ** 31 - 1) })
        .map(String);
    case 'Number':
      return fc.integer({ min: 0, max: 9_999 }).map((cents) => String(cents / 100));
    case 'Array':
      return fc.array(mostlyFitting(schema.items), { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
    case 'Object':
      return objectOf(schema);
    case 'Record':
    case 'Unknown':
      return fc.constantFrom('{}', '{"colour":"red","size":3}', '"x"');
    default: {
      const samples: Record<string, string[]> = {
        uuid: ['§product', '§variant', '§category', '§theirs'],
        'date-time': ['"2026-06-01T00:00:00Z"', '"2030-06-01T00:00:00+03:00"'],
        'http-url': ['"https://shop.example/a?b=c"'],
        'media-url': ['"https://shop.example/a.png"', '§theirs'],
        uri: ['"https://shop.example/a"'],
        email: ['"ada@shop.example"'],
        currency: ['"usd"', '"JPY"', '"BHD"'],
        date: ['"2026-01-31"'],
      };
      if (bounds.format) return fc.constantFrom(...(samples[bounds.format] ?? ['"x"']));
      return fc.constantFrom('"Acme"', '"a"', '"KE"', '"1234567890123"', '"trail-shoe"');
    }
  }
};

const mostlyFitting = (schema: TSchema): fc.Arbitrary<string> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null).chain(() => fitting(schema)) }, { weight: 1, arbitrary: HOSTILE });

/**
 * An object that the schema accepts, now and then with a hostile value: the required fields, and about four of the others.
 */
export const objectOf = (schema: TSchema): fc.Arbitrary<string> => {
  const properties = Object.entries(schema.properties as Record<string, TSchema>);
  const members = properties.map(([name, property]) =>
    fc
      .tuple(fc.integer({ min: 1, max: Math.max(8, properties.length) }), mostlyFitting(property))
      .map(([chance, value]) =>
        (schema.required as string[] | undefined)?.includes(name) || chance <= 4
          ? `${JSON.stringify(name)}:${value}`
          : null,
      ),
  );
  return fc.tuple(...members).map((texts) => `{${texts.filter((text) => text !== null).join(',')}}`);
};
