// Defines the link's frames, and the client that edges use over gRPC or in process.
import type { Dependency, Idempotency, KeyType, Refusal, Tenant } from '#runtime/call/call.ts';
import type { FragmentList } from '#runtime/call/fragment_list.ts';
import type { Notice } from '#runtime/nats/notice.ts';

export const VARINT = 0;
export const BYTES = 2;

/**
 * The caller of a request. Requests with one API key, or one key and customer session, share an object, so that its
 * encoding can be cached.
 */
export interface Caller {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  readonly keyId: string;
  readonly customer: string | null;
  readonly customerSession?: string | undefined;
  readonly staffSession?: string | undefined;
  readonly actorName?: string | undefined;
}

export interface Ask {
  readonly rpc: string;
  readonly caller: Caller;
  readonly timeoutMs: number;
  readonly requestId: string;
  readonly trace: string;
  /** The validated request as JSON. A `ValueAsk` serializes it only when it is sent. */
  readonly input: string;
  readonly value?: unknown;
  readonly isInProcess?: boolean;
  /** The body as received, for endpoints that read it raw; null for all others. */
  readonly rawBody: Uint8Array | null;
  readonly contentType: string;
  readonly idempotency: Idempotency | null;
  readonly revisionMin: number;
  /** Value of `X-Session-Id`. Separate from the caller, because it varies between requests. */
  readonly session?: string | undefined;
  readonly clientAddress?: string | undefined;
}

export interface Answer {
  readonly body: Uint8Array;
  readonly text?: string;
  /** The fragments of `body`, if the link may omit some; else null or absent. */
  readonly list?: FragmentList | null;
  readonly dependsOn: readonly Dependency[];
  readonly freshMs?: number | undefined;
  readonly replayed: boolean;
  readonly refused: Refusal | null;
  readonly notStarted?: boolean | undefined;
}

export interface Hello {
  readonly services: readonly string[];
  readonly draining: boolean;
}

export type Frame =
  | { readonly kind: 'ask'; readonly id: number; readonly ask: Ask }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'hello'; readonly hello: Hello }
  | { readonly kind: 'changed'; readonly notice: Notice };

export interface LinkClient {
  /**
   * Sends a request. Never rejects: a lost host gives the refusal `service_unavailable`, or `server_error` for a write
   * in flight. Synchronous if no network is involved.
   */
  ask(ask: Ask, write: boolean): Answer | Promise<Answer>;
  /** Registers a listener for all notices. Null means that any copy may be stale, because a link was lost. */
  listen(listener: (notice: Notice | null) => void): void;
  serves(service: string): boolean;
  /** Makes hosts answer long polls now, because this end is about to close. */
  cancelWaits(): void;
  close(): Promise<void>;
}

export const NO_BYTES = new Uint8Array(0);
