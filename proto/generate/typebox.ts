// Writes a proto file's messages as TypeBox schemas with their bounds: what the edge checks a request with.
import type { FieldShape, FieldType, ProtoFile } from './contract.ts';
import { type Direction, directionsOf, heading, importsOf, nameOf, naturalBounds } from './direction.ts';

export const typeboxOf = (file: ProtoFile): string => {
  const schemas = file.messages.flatMap((message) =>
    directionsOf(message).map((direction) => {
      const members = message.fields.map((field) => `  ${field.name}: ${schemaOf(field, direction)},`);
      const body = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`;
      return `\nexport const ${nameOf(message, direction)}: TSchema = Type.Object(${body});`;
    }),
  );
  const text = schemas.join('\n');
  return `${[
    heading(file.source),
    "import { type TSchema, Type } from '@sinclair/typebox';",
    ...(/\bText\(/.test(text) ? ["import { Text } from '#proto/format.ts';"] : []),
    ...[...importsOf(file)].map(([name, names]) => `import { ${names.join(', ')} } from './${name}.schema.ts';`),
    text,
  ].join('\n')}\n`;
};

const schemaOf = (field: FieldShape, direction: Direction): string => {
  const one = shapeOf(field.shape, direction);
  const many =
    field.many === 'list'
      ? listOf(one, field)
      : field.many === 'map'
        ? mapOf(mapped(one, field, direction), field)
        : one;
  const nullable = field.nullable ? `Type.Union([${many}, Type.Null()])` : many;
  return (direction === 'input' ? !field.required : field.absent) ? `Type.Optional(${nullable})` : nullable;
};

const listOf = (item: string, { size }: FieldShape): string =>
  `Type.Array(${item}${options({ minItems: size.min, maxItems: size.max, uniqueItems: size.unique }, ', ')})`;

const mapped = (one: string, { nullableValues }: FieldShape, direction: Direction): string =>
  nullableValues && direction === 'input' ? `Type.Union([${one}, Type.Null()])` : one;

/** Keys are any text (the pattern is ours, as TypeBox's own leaves out line breaks). */
const mapOf = (value: string, { size }: FieldShape): string => {
  const key = `^[\\s\\S]{0,${size.keyMax ?? ''}}$`;
  const bounds = { additionalProperties: false, minProperties: size.min, maxProperties: size.max };
  return `Type.Record(Type.String({ pattern: ${JSON.stringify(key)} }), ${value}${options(bounds, ', ')})`;
};

const shapeOf = (shape: FieldType, direction: Direction): string => {
  switch (shape.kind) {
    case 'text': {
      if (shape.among) return among(shape.among);
      const bounds = { minLength: shape.min, maxLength: shape.max, pattern: shape.pattern, format: shape.format };
      const text = options(bounds);
      return text ? `Text(${text})` : 'Type.String()';
    }
    case 'number':
      return `Type.${shape.range ? 'Integer' : 'Number'}(${options({ ...naturalBounds(shape, direction), ...shape.bounds })})`;
    case 'boolean':
      return 'Type.Boolean()';
    case 'bytes':
      return 'Type.Uint8Array()';
    case 'message':
      return nameOf(shape.message, direction);
    case 'object':
      return readType(shape.type ?? 'Record<string, unknown>', 'Type.Object({}, { additionalProperties: true })');
    case 'array':
      return readType(shape.type ?? 'unknown[]', 'Type.Array(Type.Unknown())');
    case 'any':
      return readType(shape.type ?? 'unknown', 'Type.Unknown()');
  }
};

const among = (values: readonly string[]): string =>
  `Type.Union([${values.map((value) => `Type.Literal(${JSON.stringify(value)})`).join(', ')}])`;

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'Type.String()',
  number: 'Type.Number()',
  boolean: 'Type.Boolean()',
  null: 'Type.Null()',
  unknown: 'Type.Unknown()',
  'Record<string, unknown>': 'Type.Object({}, { additionalProperties: true })',
};

/** A schema for the simple TypeScript types, their lists and their unions; `otherwise` for any other type. */
const readType = (type: string, otherwise: string): string => {
  const read = (part: string): string | undefined => {
    const item = part.endsWith('[]') ? read(part.slice(0, -2)) : undefined;
    return SIMPLE[part] ?? (item && `Type.Array(${item})`);
  };
  const parts = type.split(' | ').map(read);
  if (parts.includes(undefined)) return otherwise;
  return parts.length === 1 ? parts[0]! : `Type.Union([${parts.join(', ')}])`;
};

const options = (entries: Readonly<Record<string, unknown>>, before = ''): string => {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `${before}{ ${given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')} }`;
};
