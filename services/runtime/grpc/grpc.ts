// Wraps the gRPC library, which no other file imports, as a server and a client of unary methods and byte streams.
// Messages are bytes here, so that each is encoded only once.
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { DescFile } from '@bufbuild/protobuf';
import {
  type ChannelOptions,
  Client,
  credentials,
  type handleBidiStreamingCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceError,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { sha256 } from '#runtime/process/seal.ts';

/** Maximum size of a message; the largest is the feed of a large store. */
const MESSAGE_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Options of connections. A window of 8 MiB keeps a large answer from blocking the frames behind it (p99 fell from 52
 * to 7 ms, measured). Pings detect a frozen peer early enough to ask another within the edge's deadline.
 */
const OPTIONS: ChannelOptions & Record<string, number> = {
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

const identity = (bytes: Buffer): Buffer => bytes;
const shape = {
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
};

export interface Duplex {
  /** Sends bytes. False: the peer reads more slowly, so wait for `onDrain`. */
  send(bytes: Buffer): boolean;
  onMessage(listener: (bytes: Buffer) => void): void;
  onDrain(listener: () => void): void;
  onEnd(listener: (problem: string) => void): void;
  end(): void;
}

export interface UnaryCall {
  readonly path: string;
  readonly bytes: Buffer;
  /** Real time in ms since the epoch; Infinity without a deadline. */
  readonly deadline: number;
  header(name: string): string;
}

export interface UnaryFailure {
  readonly code: number;
  readonly message: string;
  readonly refusal: string;
}

export const UNARY_CODE = status;

export class UnaryError extends Error implements UnaryFailure {
  readonly code: number;
  readonly refusal: string;
  constructor(failure: UnaryFailure) {
    super(failure.message);
    this.code = failure.code;
    this.refusal = failure.refusal;
  }
}

export interface RpcServer {
  readonly address: string;
  drain(): void;
  close(timeoutMs: number): Promise<void>;
}

const staysOnThisMachine = (address: string): boolean =>
  /^(unix:|localhost:|127\.\d+\.\d+\.\d+:|\[::1\]:)/.test(address);

const BEARER = 'Bearer ';

/**
 * Parses STOA_LINK_TOKEN: one token, or several separated by commas while tokens are rotated. Clients send the first;
 * servers accept all.
 */
const tokensOf = (token: string): string[] =>
  token
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);

const names = (metadata: Metadata, tokens: readonly string[]): boolean => {
  if (tokens.length === 0) return true;
  const given = String(metadata.get('authorization')[0] ?? '');
  if (!given.startsWith(BEARER)) return false;
  const digest = sha256(given.slice(BEARER.length));
  return tokens.filter((token) => timingSafeEqual(digest, sha256(token))).length > 0;
};

const UNADMITTED = {
  code: status.UNAUTHENTICATED,
  details: 'The metadata `authorization` must be `Bearer <link token>`.',
};

const guarded =
  (admitted: (metadata: Metadata) => boolean) =>
  (methods: UntypedServiceImplementation): UntypedServiceImplementation =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (call: ServerDuplexStream<unknown, unknown>) => {
          if (admitted(call.metadata)) (method as handleBidiStreamingCall<unknown, unknown>)(call);
          else call.emit('error', UNADMITTED);
        },
      ]),
    );

/**
 * Serves unary methods, one stream, health and reflection. If `token` is set, every call except health must have it.
 * Without a token only local addresses are allowed.
 */
export async function serveRpc(door: {
  readonly address: string;
  readonly token: string;
  readonly unaryPaths: readonly string[];
  readonly unary: (call: UnaryCall) => Promise<Buffer>;
  readonly streamPath: string;
  readonly stream: (duplex: Duplex) => void;
  readonly files?: () => Promise<Iterable<DescFile>>;
}): Promise<RpcServer> {
  const tokens = tokensOf(door.token);
  if (tokens.length === 0 && !staysOnThisMachine(door.address))
    throw new Error(`STOA_LINK_TOKEN must be set: ${door.address} can be reached from other machines.`);
  const server = new Server(OPTIONS);
  const admitted = (metadata: Metadata): boolean => names(metadata, tokens);
  const services = new Map<string, { definition: Record<string, object>; handlers: UntypedServiceImplementation }>();
  const place = (path: string, streams: boolean, handler: UntypedServiceImplementation[string]): void => {
    const service = path.slice(1, path.lastIndexOf('/'));
    let entry = services.get(service);
    if (!entry) {
      entry = { definition: {}, handlers: {} };
      services.set(service, entry);
    }
    entry.definition[path] = { path, requestStream: streams, responseStream: streams, ...shape };
    entry.handlers[path] = handler;
  };
  for (const path of door.unaryPaths) {
    place(path, false, (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
      if (!admitted(call.metadata)) return reply(UNADMITTED);
      const deadline = call.getDeadline();
      door
        .unary({
          path,
          bytes: call.request,
          deadline: typeof deadline === 'number' ? deadline : deadline.getTime(),
          header: (name) => String(call.metadata.get(name)[0] ?? ''),
        })
        .then(
          (bytes) => reply(null, bytes),
          (problem: unknown) => {
            if (!(problem instanceof UnaryError)) return reply({ code: status.INTERNAL, details: 'Internal error.' });
            const metadata = new Metadata();
            metadata.set('stoa-refusal-bin', Buffer.from(problem.refusal));
            reply({ code: problem.code, details: problem.message, metadata });
          },
        );
    });
  }
  const streams = new Set<ServerDuplexStream<Buffer, Buffer>>();
  place(door.streamPath, true, (call: ServerDuplexStream<Buffer, Buffer>) => {
    if (!admitted(call.metadata)) {
      call.emit('error', UNADMITTED);
      return;
    }
    streams.add(call);
    let ended = false;
    let onEnd: (problem: string) => void = () => {};
    const end = (problem: string): void => {
      if (ended) return;
      ended = true;
      streams.delete(call);
      call.end();
      onEnd(problem);
    };
    call.on('error', (error: Error) => end(error.message));
    call.on('cancelled', () => end('cancelled'));
    call.on('end', () => end(''));
    door.stream({
      send: (bytes) => (ended ? true : call.write(bytes)),
      onMessage: (listener) => void call.on('data', listener),
      onDrain: (listener) => void call.on('drain', listener),
      onEnd: (listener) => {
        onEnd = listener;
      },
      end: () => end(''),
    });
  });
  for (const { definition, handlers } of services.values())
    server.addService(definition as Parameters<Server['addService']>[0], handlers);
  const unaryServices = new Set(door.unaryPaths.map((path) => path.slice(1, path.lastIndexOf('/'))));
  // Imported only by servers, since clients do not need these dependencies.
  const { addStandardServices } = await import('./standard.ts');
  const health = addStandardServices(server, door.files ?? (async () => []), [...unaryServices], guarded(admitted));
  const bound = await new Promise<number>((done, fail) =>
    server.bindAsync(door.address, ServerCredentials.createInsecure(), (error, port) =>
      error ? fail(error) : done(port),
    ),
  );
  return {
    address: door.address.startsWith('unix:') ? door.address : door.address.replace(/:\d+$/, `:${bound}`),
    drain: () => health.drain(),
    close: (timeoutMs) =>
      new Promise((done) => {
        const timer = setTimeout(() => {
          server.forceShutdown();
          done();
        }, timeoutMs);
        server.tryShutdown(() => {
          clearTimeout(timer);
          done();
        });
        for (const stream of streams) stream.end();
      }),
  };
}

export interface RpcClient {
  stream(path: string): Duplex;
  unary(path: string, bytes: Buffer, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<Buffer>;
  close(): void;
}

export function connectRpc(address: string, token: string): RpcClient {
  const client = new Client(address, credentials.createInsecure(), OPTIONS);
  const [sent] = tokensOf(token);
  const metadataOf = (headers: Readonly<Record<string, string>>): Metadata => {
    const metadata = new Metadata();
    if (sent) metadata.set('authorization', `${BEARER}${sent}`);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  };
  return {
    stream(path) {
      const call = client.makeBidiStreamRequest(path, identity, identity, metadataOf({}), {});
      let ended = false;
      let onEnd: (problem: string) => void = () => {};
      const end = (problem: string): void => {
        if (ended) return;
        ended = true;
        onEnd(problem);
      };
      call.on('error', (error: ServiceError) => end(error.details || error.message));
      call.on('end', () => end('The host ended the link.'));
      return {
        send: (bytes) => (ended ? true : call.write(bytes)),
        onMessage: (listener) => void call.on('data', listener),
        onDrain: (listener) => void call.on('drain', listener),
        onEnd: (listener) => {
          onEnd = listener;
        },
        end: () => {
          call.cancel();
          end('');
        },
      };
    },
    unary: (path, bytes, headers, timeoutMs) =>
      new Promise((done, fail) => {
        client.makeUnaryRequest(
          path,
          identity,
          identity,
          bytes,
          metadataOf(headers),
          { deadline: Date.now() + timeoutMs },
          (error, answer) => {
            if (!error) return done(answer as Buffer);
            const refusal = error.metadata?.get('stoa-refusal-bin')[0];
            fail(new UnaryError({ code: error.code, message: error.details, refusal: refusal ? String(refusal) : '' }));
          },
        );
      }),
    close: () => client.close(),
  };
}
