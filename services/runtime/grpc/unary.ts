// Serves unary gRPC to internal callers: converts binary protobuf to JSON and calls the same handlers as the link.
import type { Buffer } from 'node:buffer';
import type { JsonValue } from '@bufbuild/protobuf';
import { NO_TENANT, Refusal, type RefusalCode, type RefusalExtra, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Ask } from '#runtime/link/frame.ts';
import { Cancellation, type LinkHost } from '#runtime/link/server.ts';
import { connectRpc, UNARY_CODE, type UnaryCall, UnaryError } from './grpc.ts';
import type { ServiceRegistry } from './registry.ts';
import { readCaller, readIdempotency, type StoreExists } from './unary_caller.ts';

const PACKAGE = 'stoa.v1';
const TIMEOUT_MS = 5_000;

const decoder = new TextDecoder();

/** The closest gRPC code for each refusal; metadata carries the refusal itself. */
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

export const unaryPath = (rpc: string): string => `/${PACKAGE}.${rpc}`;

export interface UnaryServerOptions {
  readonly host: Pick<LinkHost, 'dispatch'>;
  readonly contract: () => Promise<ServiceRegistry>;
  readonly storeExists: StoreExists;
}

export const failure = ({ code, message, extra }: Refusal): UnaryError => {
  const { param, details, hint, retryAfterS } = extra;
  return new UnaryError({
    code: CODE[code] ?? UNARY_CODE.FAILED_PRECONDITION,
    message,
    refusal: JSON.stringify({ code, message, param, details, hint, retry_after: retryAfterS }),
  });
};

const refusalIn = (text: string): Refusal => {
  const { code, message, retry_after, ...extra } = JSON.parse(text) as Pick<Refusal, 'code' | 'message'> &
    RefusalExtra & { readonly retry_after?: number };
  return new Refusal(code, message, retry_after === undefined ? extra : { ...extra, retryAfterS: retry_after });
};

async function readAsk({ contract, storeExists }: UnaryServerOptions, call: UnaryCall): Promise<Ask | Refusal> {
  const rpc = call.path.slice(PACKAGE.length + 2);
  const caller = await readCaller(call, storeExists);
  if (caller instanceof Refusal) return caller;
  const read = (await contract()).readInput(rpc, call.bytes);
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

/** Serves calls whose metadata names the tenant, since callers are trusted. */
export const serveUnary =
  (door: UnaryServerOptions) =>
  async (call: UnaryCall): Promise<Buffer> => {
    const ask = await readAsk(door, call);
    if (ask instanceof Refusal) throw failure(ask);
    const answer = await door.host.dispatch(ask, new Cancellation());
    if (answer.refused) throw failure(answer.refused);
    return (await door.contract()).encodeOutput(ask.rpc, JSON.parse(decoder.decode(answer.body)) as JsonValue);
  };

export interface UnaryClient {
  call<O>(rpc: string, tenant: Tenant, input: JsonValue, timeoutMs?: number): Promise<O | Refusal>;
  close(): void;
}

/**
 * Connects to a host. `commandBy` names who gave a command, for the audit log. A call returns the refusal `service_unavailable` if the host was lost, `server_error` if no
 * answer came.
 */
export function connectUnary(address: string, token: string, contract: ServiceRegistry, commandBy = ''): UnaryClient {
  const client = connectRpc(address, token);
  return {
    async call<O>(rpc: string, tenant: Tenant, input: JsonValue, timeoutMs = TIMEOUT_MS): Promise<O | Refusal> {
      const headers: Record<string, string> = commandBy === '' ? {} : { 'stoa-command-by': commandBy };
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
