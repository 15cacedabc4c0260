// Reads one field of a message: its shape, its bounds, when it is there; and refuses options that do not fit it.
import { type DescField, ScalarType } from '@bufbuild/protobuf';
import {
  type Bounds,
  type Complain,
  commentOf,
  type FieldShape,
  type FieldType,
  type MessageShape,
} from './contract.ts';
import type { ReadOption } from './option.ts';

interface Rules {
  readonly required?: boolean;
  readonly double?: NumberRules;
  readonly int32?: NumberRules;
  readonly int64?: NumberRules;
  readonly string?: {
    readonly min_len?: string;
    readonly max_len?: string;
    readonly pattern?: string;
    readonly in?: readonly string[];
    readonly email?: boolean;
    readonly uri?: boolean;
    readonly uuid?: boolean;
  };
  readonly repeated?: {
    readonly min_items?: string;
    readonly max_items?: string;
    readonly unique?: boolean;
    readonly items?: Rules;
  };
  readonly map?: {
    readonly min_pairs?: string;
    readonly max_pairs?: string;
    readonly keys?: Rules;
    readonly values?: Rules;
  };
}
type NumberRules = Readonly<Record<'lt' | 'lte' | 'gt' | 'gte', number | string | undefined>>;

const FORMATS = ['date-time', 'date', 'currency', 'http-url', 'media-url', 'words', 'line'];
const FREE: Readonly<Record<string, 'object' | 'array' | 'any'>> = {
  'google.protobuf.Struct': 'object',
  'google.protobuf.ListValue': 'array',
  'google.protobuf.Value': 'any',
};
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const UINT32 = { minimum: 0, maximum: 2 ** 32 - 1 };
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const SAFE_POSITIVE = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const INTEGERS: Readonly<Partial<Record<ScalarType, Bounds>>> = {
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.INT64]: SAFE,
  [ScalarType.SINT64]: SAFE,
  [ScalarType.SFIXED64]: SAFE,
  [ScalarType.UINT64]: SAFE_POSITIVE,
  [ScalarType.FIXED64]: SAFE_POSITIVE,
};

export const fieldReader =
  (option: ReadOption, messages: ReadonlyMap<string, MessageShape>, complain: Complain) =>
  (desc: DescField): FieldShape[] => {
    const rules = (option(desc, 'buf.validate.field') ?? {}) as Rules;
    const many = desc.fieldKind === 'list' ? 'list' : desc.fieldKind === 'map' ? 'map' : 'one';
    const inner = many === 'list' ? rules.repeated?.items : many === 'map' ? rules.map?.values : rules;
    const misfit = (sentence: string): void => complain(desc, sentence);
    if (desc.name in Object.prototype) misfit('a field may not bear a name that every object has.');

    const shape = readShape(desc, inner ?? {}, option, messages, misfit);
    if (!shape) return [];
    if (many !== 'list' && rules.repeated) misfit('rules for a list stand on a field that is none.');
    if (many !== 'map' && rules.map) misfit('rules for a map stand on a field that is none.');

    return [
      {
        name: desc.name,
        comment: commentOf(desc),
        shape,
        many,
        nullable: desc.proto.proto3Optional || option(desc, 'stoa.nullable') === true,
        required: rules.required === true,
        absent: option(desc, 'stoa.absent') === true || (many === 'one' && 'oneof' in desc && desc.oneof !== undefined),
        query: option(desc, 'stoa.query') === true,
        header: (option(desc, 'stoa.header') ?? '') as string,
        network: option(desc, 'stoa.network') === true,
        fileName: option(desc, 'stoa.file_name') === true,
        newSession: option(desc, 'stoa.new_session') === true,
        language: option(desc, 'stoa.language') === true,
        nullableValues: option(desc, 'stoa.nullable_values') === true,
        unnamed: option(desc, 'stoa.unnamed') === true,
        example: readJson(option(desc, 'stoa.example'), 'example', misfit),
        fallback: readJson(option(desc, 'stoa.default_value'), 'default_value', misfit),
        size: readSize(many === 'list' ? rules.repeated : undefined, many === 'map' ? rules.map : undefined),
      },
    ];
  };

const readShape = (
  desc: DescField,
  rules: Rules,
  option: ReadOption,
  messages: ReadonlyMap<string, MessageShape>,
  misfit: (sentence: string) => void,
): FieldType | undefined => {
  const money = option(desc, 'stoa.money') === true;
  const format = option(desc, 'stoa.format') as string | undefined;
  const type = option(desc, 'stoa.json_type') as string | undefined;
  const message = desc.message;
  const free = message && FREE[message.typeName];

  if (type !== undefined && !free) misfit('json_type belongs to a Struct, ListValue or Value.');
  if (money && desc.scalar !== ScalarType.DOUBLE) misfit('money is a double.');
  if (format !== undefined && desc.scalar !== ScalarType.STRING) misfit('a format belongs to a string.');
  if (format !== undefined && !FORMATS.includes(format)) misfit(`"${format}" is not one of ${FORMATS.join(', ')}.`);
  const allowed = rulesFor(desc.scalar);
  for (const kind of ['double', 'int32', 'int64', 'string'] as const) {
    if (rules[kind] && kind !== allowed) misfit(`${kind} rules do not fit this field.`);
  }

  if (free) return type === undefined ? { kind: free } : { kind: free, type };
  if (message) {
    const known = messages.get(message.typeName);
    if (known) return { kind: 'message', message: known };
    misfit(`${message.typeName} has no JSON shape here.`);
    return undefined;
  }
  if (desc.enum) return { kind: 'text', among: desc.enum.values.map((value) => value.name) };
  if (desc.scalar === ScalarType.BOOL) return { kind: 'boolean' };
  if (desc.scalar === ScalarType.BYTES) return { kind: 'bytes' };
  if (desc.scalar === ScalarType.STRING) return readText(rules.string ?? {}, format, misfit);
  const bounds = readBounds(rules.int32 ?? rules.int64 ?? rules.double);
  return { kind: 'number', money, bounds, range: INTEGERS[desc.scalar!] ?? null };
};

const rulesFor = (scalar: ScalarType | undefined): string =>
  scalar === ScalarType.STRING
    ? 'string'
    : scalar === ScalarType.DOUBLE
      ? 'double'
      : scalar === ScalarType.INT64
        ? 'int64'
        : scalar === ScalarType.INT32
          ? 'int32'
          : '';

const readText = (
  rules: NonNullable<Rules['string']>,
  format: string | undefined,
  misfit: (sentence: string) => void,
): FieldType => {
  const known = rules.email ? 'email' : rules.uri ? 'uri' : rules.uuid ? 'uuid' : undefined;
  if (known && format) misfit(`${known} and ${format} cannot both be asked for.`);
  if (rules.pattern !== undefined) {
    try {
      new RegExp(rules.pattern, 'u');
    } catch {
      misfit(`the pattern ${rules.pattern} cannot be read.`);
    }
  }
  return {
    kind: 'text',
    ...(rules.min_len === undefined ? {} : { min: Number(rules.min_len) }),
    ...(rules.max_len === undefined ? {} : { max: Number(rules.max_len) }),
    ...(rules.pattern === undefined ? {} : { pattern: rules.pattern }),
    ...((known ?? format) ? { format: known ?? format } : {}),
    ...(rules.in?.length ? { among: rules.in } : {}),
  };
};

const readBounds = (rules: NumberRules | undefined): Bounds => ({
  ...(rules?.gte === undefined ? {} : { minimum: Number(rules.gte) }),
  ...(rules?.gt === undefined ? {} : { exclusiveMinimum: Number(rules.gt) }),
  ...(rules?.lte === undefined ? {} : { maximum: Number(rules.lte) }),
  ...(rules?.lt === undefined ? {} : { exclusiveMaximum: Number(rules.lt) }),
});

const readSize = (list: Rules['repeated'], map: Rules['map']): FieldShape['size'] => {
  const min = list?.min_items ?? map?.min_pairs;
  const max = list?.max_items ?? map?.max_pairs;
  const keyMax = map?.keys?.string?.max_len;
  return {
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
    ...(list?.unique ? { unique: true } : {}),
    ...(keyMax === undefined ? {} : { keyMax: Number(keyMax) }),
  };
};

const readJson = (text: unknown, name: string, misfit: (sentence: string) => void): unknown => {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    misfit(`the ${name} ${text} is not JSON (a text needs its own quotes).`);
    return undefined;
  }
};
