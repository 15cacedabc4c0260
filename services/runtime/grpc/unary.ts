// Unary gRPC for internal callers: binary protobuf outside, the wire's own JSON shape inside, the same handlers.
import { Buffer } from 'node:buffer';
import {
  createRegistry,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonValue,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type { GenFile } from '@bufbuild/protobuf/codegenv2';
import { NO_TENANT, Refusal, type RefusalCode, type RefusalExtra, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Host } from '#runtime/host/host.ts';
import type { Ask } from '#runtime/link/frame.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { connectRpc, UNARY_CODE, type UnaryCall, UnaryError } from './grpc.ts';
import { type KnowsStore, readCaller, readIdempotency } from './unary_caller.ts';
import { checkInput } from './unary_input.ts';

const PACKAGE = 'stoa.v1';
const TIMEOUT_MS = 5_000;

const decoder = new TextDecoder();

/** gRPC's nearest word for each refusal; the refusal itself travels beside it. */
const CODE: Readonly<Partial<Record<RefusalCode, number>>> = {
  invalid_request: UNARY_CODE.INVALID_ARGUMENT,
  unauthorized: UNARY_CODE.UNAUTHENTICATED,
  forbidden: UNARY_CODE.PERMISSION_DENIED,
  not_found: UNARY_CODE.NOT_FOUND,
  conflict: UNARY_CODE.FAILED_PRECONDITION,
  rate_limited: UNARY_CODE.RESOURCE_EXHAUSTED,
  quota_exceeded: UNARY_CODE.RESOURCE_EXHAUSTED,
  service_unavailable: UNARY_CODE.UNAVAILABLE,
  server_error: UNARY_CODE.INTERNAL,
};

export class ServiceRegistry {
  readonly #services = new Map<string, DescService>();
  readonly #registry: ReturnType<typeof createRegistry>;

  constructor(files: readonly GenFile[]) {
    this.#registry = createRegistry(...files);
    for (const file of files) for (const service of file.services) this.#services.set(service.name, service);
  }

  method(rpc: string): DescMethod {
    const [service = '', method = ''] = rpc.split('/');
    const found = this.#services.get(service)?.methods.find(({ name }) => name === method);
    if (!found) throw new Error(`The contract has no ${rpc}.`);
    return found;
  }

  decodeInput(rpc: string, bytes: Uint8Array): JsonValue {
    return this.#json(this.method(rpc).input, bytes, false);
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

  /** `everything`: fields at their default too, as an answer's fields are all there. */
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

/** Protobuf's JSON writes 64-bit integers as texts; on our wire they are numbers, as amounts and revisions fit one. */
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

export const unaryPath = (rpc: string): string => `/${PACKAGE}.${rpc}`;

export interface UnaryDoor {
  readonly host: Host;
  readonly contract: ServiceRegistry;
  readonly knows: KnowsStore;
}

/** A refusal as gRPC tells it. */
export const failure = ({ code, message, extra }: Refusal): UnaryError => {
  const { param, details, hint, retryAfterS } = extra;
  return new UnaryError({
    code: CODE[code] ?? UNARY_CODE.FAILED_PRECONDITION,
    message,
    refusal: JSON.stringify({ code, message, param, details, hint, retry_after: retryAfterS }),
  });
};

/** The refusal that a failure carries. */
const refusalIn = (text: string): Refusal => {
  const { code, message, retry_after, ...extra } = JSON.parse(text) as Pick<Refusal, 'code' | 'message'> &
    RefusalExtra & { readonly retry_after?: number };
  return new Refusal(code, message, retry_after === undefined ? extra : { ...extra, retryAfterS: retry_after });
};

/** The request as JSON within its bounds. */
function readInput(contract: ServiceRegistry, rpc: string, bytes: Uint8Array): JsonValue | Refusal {
  let decoded: JsonValue;
  try {
    decoded = contract.decodeInput(rpc, bytes);
  } catch {
    return refuse('invalid_request', `The bytes are no ${contract.method(rpc).input.typeName}.`);
  }
  return checkInput(rpc, contract.method(rpc).input, decoded);
}

/** The call as the host takes it, or why it is refused before the host sees it. */
async function readAsk({ contract, knows }: UnaryDoor, call: UnaryCall): Promise<Ask | Refusal> {
  const rpc = call.path.slice(PACKAGE.length + 2);
  const caller = await readCaller(call, knows);
  if (caller instanceof Refusal) return caller;
  const read = readInput(contract, rpc, call.bytes);
  if (read instanceof Refusal) return read;
  const input = JSON.stringify(read);
  const idempotency = readIdempotency(call, caller.customer, input);
  if (idempotency instanceof Refusal) return idempotency;
  return {
    rpc,
    caller,
    timeoutMs: Math.min(TIMEOUT_MS, call.deadline - Date.now()),
    requestId: call.header('stoa-request-id'),
    trace: call.header('traceparent'),
    input,
    rawBody: null,
    contentType: '',
    idempotency,
    revisionMin: 0,
  };
}

/** The server's side: one unary call through the host. Callers are inside the house: they name the tenant. */
export const serveUnary =
  (door: UnaryDoor) =>
  async (call: UnaryCall): Promise<Buffer> => {
    const ask = await readAsk(door, call);
    if (ask instanceof Refusal) throw failure(ask);
    const answer = await door.host.dispatch(ask, new Cancellation());
    if (answer.refused) throw failure(answer.refused);
    return door.contract.encodeOutput(ask.rpc, JSON.parse(decoder.decode(answer.body)) as JsonValue);
  };

export interface UnaryClient {
  call<O>(rpc: string, tenant: Tenant, input: JsonValue, timeoutMs?: number): Promise<O | Refusal>;
  close(): void;
}

/** The client's side. A lost host is a refusal `service_unavailable`, an answer that never came `server_error`. */
export function connectUnary(address: string, token: string, contract: ServiceRegistry): UnaryClient {
  const client = connectRpc(address, token);
  return {
    async call<O>(rpc: string, tenant: Tenant, input: JsonValue, timeoutMs = TIMEOUT_MS): Promise<O | Refusal> {
      const headers: Record<string, string> = {};
      if (tenant !== NO_TENANT) {
        headers['stoa-store'] = tenant.store;
        headers['stoa-environment'] = tenant.environment;
      }
      try {
        const bytes = await client.unary(unaryPath(rpc), contract.encodeInput(rpc, input), headers, timeoutMs);
        return contract.decodeOutput(rpc, bytes) as O;
      } catch (problem) {
        if (!(problem instanceof UnaryError)) throw problem;
        if (problem.refusal) return refusalIn(problem.refusal);
        if (problem.code === UNARY_CODE.UNAVAILABLE)
          return refuse('service_unavailable', `No services answer at ${address}.`, { retryAfterS: 1 });
        return refuse('server_error', problem.message);
      }
    },
    close: () => client.close(),
  };
}
