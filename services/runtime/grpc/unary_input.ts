// Completes a request from protobuf with omitted default values where the schema requires a value, and validates it.
import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { Kind, type TSchema } from '@sinclair/typebox';
import { requests } from '#proto/gen/requests.ts';
import { compile } from '#proto/validate.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (schema: TSchema): TSchema => (schema[Kind] === 'Union' ? plain(schema.anyOf[0]) : schema);

const defaultOf = ({ fieldKind, presence, scalar }: DescField): JsonValue => {
  if (fieldKind === 'list') return [];
  if (fieldKind === 'map') return {};
  if (presence !== FeatureSet_FieldPresence.IMPLICIT || scalar === undefined) return null;
  if (scalar === ScalarType.BOOL) return false;
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES ? null : 0;
};

const complete = (message: DescMessage, schema: TSchema, value: JsonObject): void => {
  const required = new Set(schema.required as string[] | undefined);
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  for (const field of message.fields) {
    const property = properties[field.name];
    if (!property) continue;
    const held = value[field.name];
    if (held === undefined) {
      const absent = required.has(field.name) ? defaultOf(field) : null;
      if (absent !== null) value[field.name] = absent;
    } else if (field.message) completeWithin(field.message, plain(property), held);
  }
};

const completeWithin = (message: DescMessage, schema: TSchema, held: JsonValue): void => {
  if (schema[Kind] === 'Array')
    for (const item of held as JsonValue[]) completeWithin(message, plain(schema.items), item);
  else if (schema[Kind] === 'Record') {
    const [inner] = Object.values(schema.patternProperties as Record<string, TSchema>);
    if (inner && isObject(held)) for (const item of Object.values(held)) completeWithin(message, plain(inner), item);
  } else if (schema[Kind] === 'Object' && isObject(held)) complete(message, schema, held);
};

export const checkInput = (rpc: string, message: DescMessage, input: JsonValue): JsonValue | Refusal => {
  const schema = requests[rpc];
  if (!schema || !isObject(input)) return input;
  complete(message, schema, input);
  const verdict = compile({ request: schema })(input);
  return verdict.ok
    ? (verdict.value as JsonObject)
    : refuse('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {});
};
