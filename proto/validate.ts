// Checks a request against its schema, names the first bad field, and takes away what the contract does not know.
import { Kind, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { misfit, type TextBounds } from './format.ts';
import type { Route } from './route.ts';

/** A bad field: its JSON path, empty for the whole input, and a sentence for people. */
export interface FieldFault {
  readonly param: string;
  readonly message: string;
}

export type Verdict =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | ({ readonly ok: false } & FieldFault);
export type Validate = (input: unknown) => Verdict;

type Json = Record<string, unknown>;

/**
 * The validator of a route's requests, one for each schema. Compiled on its first use: a process serves few of the routes it
 * knows. Null for a field that may be left out and is not null otherwise is as good as leaving it out; it is looked for where
 * a check fails, so that nearly every request is spared the search.
 */
export const compile = ({ request: schema }: Pick<Route, 'request'>): Validate => {
  const known = validators.get(schema);
  if (known) return known;
  const validate = validatorOf(schema);
  validators.set(schema, validate);
  return validate;
};

/** Edges and services in one process have the same routes. */
const validators = new WeakMap<TSchema, Validate>();

const validatorOf = (schema: TSchema): Validate => {
  let check: ((input: unknown) => boolean) | undefined;
  let strip: Strip | null;
  return (input) => {
    if (!check) {
      const compiled = TypeCompiler.Compile(schema);
      check = (value) => compiled.Check(value);
      strip = stripper(schema);
    }
    const passed = (value: unknown): Verdict => ({ ok: true, value: (strip ? strip(value) : value) as Json });
    if (check(input)) return passed(input);
    const cleaned = withoutNulls(schema, input);
    if (cleaned !== input && check(cleaned)) return passed(cleaned);
    return { ok: false, ...(explain(schema, cleaned) ?? { param: '', message: 'The request is not valid.' }) };
  };
};

// ── Nulls that mean an absent field ─────────────────────────────────────────────────────────────────────────────────

const takesNull = (schema: TSchema): boolean =>
  schema[Kind] === 'Unknown' || (schema[Kind] === 'Union' && schema.anyOf.some(takesNull)) || schema[Kind] === 'Null';

/** The value without its nulls for fields that may be left out and do not take one; the same value where it has none. */
const withoutNulls = (schema: TSchema, value: unknown): unknown => {
  if (schema[Kind] === 'Union') {
    const [inner, other] = schema.anyOf as TSchema[];
    return other?.[Kind] === 'Null' ? withoutNulls(inner!, value) : value;
  }
  if (schema[Kind] === 'Array' && Array.isArray(value)) {
    const items = value.map((item) => withoutNulls(schema.items, item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value) || (schema[Kind] !== 'Object' && schema[Kind] !== 'Record')) return value;
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const [ofAll] = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>);
  const required = new Set(schema.required as string[] | undefined);
  const entries = Object.entries(value);
  const remaining = entries.flatMap(([name, item]): [string, unknown][] => {
    const own = Object.hasOwn(properties, name) ? properties[name] : ofAll;
    if (own === undefined) return [[name, item]];
    const spare = own !== ofAll && item === null && !required.has(name) && !takesNull(own);
    return spare ? [] : [[name, withoutNulls(own, item)]];
  });
  const same = remaining.length === entries.length && remaining.every(([, item], index) => item === entries[index]![1]);
  return same ? value : Object.fromEntries(remaining);
};

// ── Faults of a value ─────────────────────────────────────────────────────────────────────────────────────────────────

/** The first fault of a value, in the order of the schema's fields; null where there is none. */
export const explain = (schema: TSchema, value: unknown, path = ''): FieldFault | null => {
  const must = (words: string): FieldFault => ({
    param: path,
    message: `${path ? `\`${path}\`` : 'The request'} must ${words}.`,
  });
  if (schema[Kind] === 'Union') return inUnion(schema.anyOf, value, path, must);
  if (value === null && schema[Kind] !== 'Unknown') return must('not be null');
  switch (schema[Kind]) {
    case 'Literal':
      return value === schema.const ? null : must(`be ${schema.const}`);
    case 'String':
    case 'Text': {
      if (typeof value !== 'string') return must('be a string');
      const words = misfit(schema as TextBounds, value);
      return words === null ? null : must(words);
    }
    case 'Number':
      return Number.isFinite(value) ? outside(schema, value as number, must) : must('be a number');
    case 'Integer':
      return Number.isInteger(value) ? outside(schema, value as number, must) : must('be an integer');
    case 'Boolean':
      return typeof value === 'boolean' ? null : must('be true or false');
    case 'Array':
      return inArray(schema, value, path, must);
    case 'Record':
      return isObject(value) ? inMap(schema, value, path, must) : must('be an object');
    case 'Object':
      return isObject(value) ? inObject(schema, value, path) : must('be an object');
    default:
      return null;
  }
};

type Must = (words: string) => FieldFault;

const NAMES: Readonly<Record<string, string>> = {
  String: 'a string',
  Number: 'a number',
  Boolean: 'true or false',
  Array: 'an array',
  Object: 'an object',
};

/** A value or null; one of some texts; or one of some types. */
const inUnion = (alternatives: readonly TSchema[], value: unknown, path: string, must: Must): FieldFault | null => {
  const kinds = alternatives.filter((schema) => schema[Kind] !== 'Null');
  if (value === null) return kinds.length < alternatives.length ? null : must('not be null');
  if (kinds.length === 1) return explain(kinds[0]!, value, path);
  if (kinds.some((schema) => explain(schema, value, path) === null)) return null;
  const literals = kinds.every((schema) => schema[Kind] === 'Literal');
  return must(
    literals
      ? `be one of ${kinds.map((schema) => schema.const).join(', ')}`
      : `be ${kinds.map((schema) => NAMES[schema[Kind]]).join(' or ')}`,
  );
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const outside = (schema: TSchema, value: number, must: Must): FieldFault | null => {
  if (value < schema.minimum) return must(`be at least ${schema.minimum}`);
  if (value > schema.maximum) return must(`be at most ${schema.maximum}`);
  if (value <= schema.exclusiveMinimum) return must(`be more than ${schema.exclusiveMinimum}`);
  if (value >= schema.exclusiveMaximum) return must(`be less than ${schema.exclusiveMaximum}`);
  return null;
};

const inArray = (schema: TSchema, value: unknown, path: string, must: Must): FieldFault | null => {
  if (!Array.isArray(value)) return must('be an array');
  if (value.length < schema.minItems) return must(`have at least ${counted(schema.minItems, 'entry', 'entries')}`);
  if (value.length > schema.maxItems) return must(`have at most ${counted(schema.maxItems, 'entry', 'entries')}`);
  for (const [index, item] of value.entries()) {
    const fault = explain(schema.items as TSchema, item, `${path}[${index}]`);
    if (fault) return fault;
  }
  if (!schema.uniqueItems) return null;
  return new Set(value.map((item) => JSON.stringify(item))).size === value.length
    ? null
    : must('not hold an entry twice');
};

const inMap = (schema: TSchema, value: Json, path: string, must: Must): FieldFault | null => {
  const entries = Object.entries(value);
  if (entries.length < schema.minProperties)
    return must(`have at least ${counted(schema.minProperties, 'key', 'keys')}`);
  if (entries.length > schema.maxProperties)
    return must(`have at most ${counted(schema.maxProperties, 'key', 'keys')}`);
  const [[pattern, item]] = Object.entries(schema.patternProperties as Record<string, TSchema>) as [[string, TSchema]];
  const keyLengthMax = /,(\d+)\}\$$/.exec(pattern)?.[1];
  for (const [key, inner] of entries) {
    if (keyLengthMax && key.length > Number(keyLengthMax))
      return must(`have keys of at most ${keyLengthMax} characters`);
    const fault = explain(item, inner, at(path, key));
    if (fault) return fault;
  }
  return null;
};

const inObject = (schema: TSchema, value: Json, path: string): FieldFault | null => {
  const required = new Set(schema.required as string[] | undefined);
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    if (inner === undefined) {
      if (required.has(name)) return { param: at(path, name), message: `\`${at(path, name)}\` is required.` };
      continue;
    }
    const fault = explain(property, inner, at(path, name));
    if (fault) return fault;
  }
  return null;
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `variants[0].price`, and `metadata["a b"]` where the key is no name. */
const at = (path: string, key: string): string => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
};

// ── Unknown fields ────────────────────────────────────────────────────────────────────────────────────────────────────

type Strip = (value: unknown) => unknown;

/**
 * Copies a checked value without the properties that its messages do not name. Free-form objects and maps are data and
 * stay as they are, keys like `__proto__` too. Null where nothing can be unknown.
 */
const stripper = (schema: TSchema): Strip | null => {
  if (schema[Kind] === 'Union') {
    const inner = stripper(schema.anyOf[0]);
    return inner && ((value) => (value === null ? null : inner(value)));
  }
  if (schema[Kind] === 'Array') {
    const inner = stripper(schema.items);
    return inner && ((value) => (value as unknown[]).map(inner));
  }
  if (schema[Kind] === 'Record') {
    const inner = stripper(Object.values(schema.patternProperties)[0] as TSchema);
    return (
      inner && ((value) => Object.fromEntries(Object.entries(value as Json).map(([key, item]) => [key, inner(item)])))
    );
  }
  if (schema[Kind] !== 'Object' || isFree(schema)) return null;
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, property]) => [name, stripper(property)] as const,
  );
  return (value) => {
    const known: Json = {};
    for (const [name, inner] of fields) {
      const item = (value as Json)[name];
      if (item !== undefined) known[name] = inner ? inner(item) : item;
    }
    return known;
  };
};

/** A google.protobuf.Struct: the generator marks it, as a message without fields is closed. */
const isFree = (schema: TSchema): boolean => schema.additionalProperties === true;

/** The path of the first property that the schema does not name, for tests that hold answers against the contract. */
export const undocumented = (schema: TSchema, value: unknown, path = ''): string | null => {
  if (value === null || value === undefined) return null;
  if (schema[Kind] === 'Union')
    return schema.anyOf[1][Kind] === 'Null' ? undocumented(schema.anyOf[0], value, path) : null;
  const within = (inner: TSchema, entries: Iterable<[string, unknown]>): string | null => {
    for (const [where, item] of entries) {
      const found = undocumented(inner, item, where);
      if (found !== null) return found;
    }
    return null;
  };
  if (schema[Kind] === 'Array') {
    return within(
      schema.items,
      (value as unknown[]).map((item, index) => [`${path}[${index}]`, item]),
    );
  }
  if (schema[Kind] === 'Record') {
    const inner = Object.values(schema.patternProperties)[0] as TSchema;
    return within(
      inner,
      Object.entries(value).map(([key, item]) => [at(path, key), item]),
    );
  }
  if (schema[Kind] !== 'Object' || isFree(schema)) return null;
  const properties = schema.properties as Record<string, TSchema>;
  for (const [name, item] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) return at(path, name);
    const found = undocumented(properties[name]!, item, at(path, name));
    if (found !== null) return found;
  }
  return null;
};
