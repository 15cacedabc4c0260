// Defines the link's frames, and the client interface that edges use over gRPC or in process.
import type { Idempotency, KeyType, Refusal, Tenant } from '#runtime/call/call.ts';
import type { FragmentList } from '#runtime/call/fragment_list.ts';
import type { Notice } from '#runtime/nats/notice.ts';

export const VARINT = 0;
export const BYTES = 2;

/** The caller. One object for each key, or key and customer session, so that its encoding can be cached. */
export interface Caller {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  readonly keyId: string;
  readonly customer: string | null;
  readonly customerSession?: string | undefined;
}

export interface Ask {
  readonly rpc: string;
  readonly caller: Caller;
  /** Milliseconds that the caller still waits. */
  readonly timeoutMs: number;
  readonly requestId: string;
  readonly trace: string;
  /** The validated request as JSON text; a `ValueAsk` writes it only when it is sent. */
  readonly input: string;
  readonly value?: unknown;
  readonly isInProcess?: boolean;
  /** Null unless the endpoint reads its body raw. */
  readonly rawBody: Uint8Array | null;
  readonly contentType: string;
  readonly idempotency: Idempotency | null;
  readonly revisionMin: number;
  /** `X-Session-Id`, which changes between requests and so is not part of the caller. */
  readonly session?: string | undefined;
}

export interface Answer {
  readonly body: Uint8Array;
  readonly text?: string;
  /** The fragments of `body`, where the link may omit some; else null or absent. */
  readonly list?: FragmentList | null;
  readonly revision: number;
  readonly subject: string;
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
   * Never rejects: a lost host is a refusal `service_unavailable`, or `server_error` for a write in flight.
   * Synchronous where no network is involved.
   */
  ask(ask: Ask, write: boolean): Answer | Promise<Answer>;
  /** Called with each notice, and with null when any copy may be stale because a link was lost. */
  listen(listener: (notice: Notice | null) => void): void;
  serves(service: string): boolean;
  /** Has long polls answered now, because this end is about to close. */
  cancelWaits(): void;
  close(): Promise<void>;
}

export const NO_BYTES = new Uint8Array(0);
