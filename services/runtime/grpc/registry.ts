// Converts messages between binary protobuf and the API's JSON.
import { Buffer } from 'node:buffer';
import {
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { checkInput } from './unary_input.ts';

const PACKAGE = 'stoa.v1';

export class ServiceRegistry {
  readonly #registry: FileRegistry;

  constructor(descriptors: FileRegistry) {
    this.#registry = descriptors;
  }

  method(rpc: string): DescMethod {
    const [service = '', method = ''] = rpc.split('/');
    const found = this.#registry.getService(`${PACKAGE}.${service}`)?.methods.find(({ name }) => name === method);
    if (!found) throw new Error(`The contract has no ${rpc}.`);
    return found;
  }

  decodeInput(rpc: string, bytes: Uint8Array): JsonValue {
    return this.#json(this.method(rpc).input, bytes, false);
  }

  readInput(rpc: string, bytes: Uint8Array): JsonValue | Refusal {
    const { input } = this.method(rpc);
    let decoded: JsonValue;
    try {
      decoded = this.decodeInput(rpc, bytes);
    } catch {
      return refuse('invalid_request', `The bytes are no ${input.typeName}.`);
    }
    return checkInput(rpc, input, decoded);
  }

  encodeInput(rpc: string, input: JsonValue): Buffer {
    return this.#bytes(this.method(rpc).input, input);
  }

  decodeOutput(rpc: string, bytes: Uint8Array): JsonValue {
    return this.#json(this.method(rpc).output, bytes, true);
  }

  encodeOutput(rpc: string, output: JsonValue): Buffer {
    return this.#bytes(this.method(rpc).output, output);
  }

  /** Converts a message to JSON. `everything` includes fields with default values, since responses have every field. */
  #json(message: DescMessage, bytes: Uint8Array, everything: boolean): JsonValue {
    const options = { useProtoFieldName: true, alwaysEmitImplicit: everything, registry: this.#registry };
    return numbers(message, toJson(message, fromBinary(message, bytes), options));
  }

  #bytes(message: DescMessage, value: JsonValue): Buffer {
    const made = fromJson(message, value, { ignoreUnknownFields: true, registry: this.#registry });
    return Buffer.from(toBinary(message, made));
  }
}

const LONG: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/** Converts 64-bit integers from text, as protobuf's JSON writes them, to numbers, as the API does. */
function numbers(message: DescMessage, value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  for (const field of message.fields) {
    const held = value[field.name];
    if (held === undefined || held === null) continue;
    const convert = (item: JsonValue): JsonValue =>
      field.message ? numbers(field.message, item) : field.scalar && LONG.has(field.scalar) ? Number(item) : item;
    if (field.fieldKind === 'list') value[field.name] = (held as JsonValue[]).map(convert);
    else if (field.fieldKind === 'message' || field.fieldKind === 'scalar') value[field.name] = convert(held);
  }
  return value;
}
