// The frames of the link as values, and the port through which an edge asks: over gRPC or in process.
import type { Idempotency, KeyType, Refusal, Tenant } from '#runtime/call/call.ts';
import type { FragmentList } from '#runtime/call/fragment_list.ts';
import type { Notice } from '#runtime/nats/notice.ts';

/** Wire types of protobuf that the frames use, each read behind its field number. A whole number: */
export const VARINT = 0;
/** A length, then as many bytes: texts, bytes and nested messages. */
export const BYTES = 2;

/** Who asks. One object a key, or a key and a customer's session, so that its encoding can be kept. */
export interface Caller {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  readonly keyId: string;
  readonly customer: string | null;
  /** Which of the customer's sessions it is; absent where there is none. */
  readonly customerSession?: string | undefined;
}

export interface Ask {
  readonly rpc: string;
  readonly caller: Caller;
  /** Milliseconds that the asker still waits. */
  readonly timeoutMs: number;
  readonly requestId: string;
  readonly trace: string;
  /** The validated request as JSON text; of a `Question` written only where it has to travel. */
  readonly input: string;
  /** The same as a value, which is never changed; absent where it came as text. */
  readonly value?: unknown;
  /** The asker stands in this process. */
  readonly isInProcess?: boolean;
  /** The body as it came, for endpoints that read it raw; else null. */
  readonly rawBody: Uint8Array | null;
  readonly contentType: string;
  readonly idempotency: Idempotency | null;
  readonly revisionMin: number;
  /** `X-Session-Id`, which changes from request to request and so is no part of the caller; absent without one. */
  readonly session?: string | undefined;
}

export interface Answer {
  readonly body: Uint8Array;
  /** The same as text, where it has not been turned into bytes yet. */
  readonly text?: string;
  /** What `body` is put together from, where a link may spare its fragments; else null or absent. */
  readonly list?: FragmentList | null;
  readonly revision: number;
  readonly subject: string;
  readonly replayed: boolean;
  readonly refused: Refusal | null;
  /** The host is about to end and did not begin with the ask: surely nothing was done. */
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

/** The edge's only way to the domains. */
export interface LinkClient {
  /**
   * Never rejects: a lost host is a refusal `service_unavailable` or, for a write in flight, `server_error`. At once where
   * no network lies between.
   */
  ask(ask: Ask, write: boolean): Answer | Promise<Answer>;
  /** Hears that copies of a tenant are stale; null when any copy may be (a link was lost). */
  listen(listener: (notice: Notice | null) => void): void;
  /** Whether some host serves this service now. */
  serves(service: string): boolean;
  /** What was asked and only waits for something to happen is answered now: this end is about to close. */
  cancelWaits(): void;
  close(): Promise<void>;
}

export const NO_BYTES = new Uint8Array(0);
