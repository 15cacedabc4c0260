// Generated from stoa/v1/link.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type Caller = {
  store: string;
  sandbox: boolean;
  key_type: string;
  key_id: string;
  customer: string;
  /** Which of the customer's sessions stands behind the call. */
  customer_session: string;
  /** The dashboard's session in which a staff account calls. */
  staff_session: string;
  /** Name of the app, person or key behind the call, where it has one. */
  actor_name: string;
};

/**
 * The key and the fingerprint by which a retry is recognised.
 * @internal
 */
export type Retry = {
  key: string;
  scope: string;
  fingerprint: string;
  replay_only: boolean;
};

/** @internal */
export type Ask = {
  /** `Service/Method`. */
  rpc: string;
  caller: Caller;
  /** Milliseconds that the edge still waits. */
  timeout_ms: number;
  request_id: string;
  /** W3C traceparent, or empty. */
  trace: string;
  /** The validated request as JSON. */
  input: Uint8Array;
  /** The body as it came, where the endpoint reads it raw. */
  raw_body: Uint8Array;
  content_type: string;
  retry: Retry;
  revision_min: number;
  /** `X-Session-Id`, or empty. */
  session: string;
  /** Address of the client behind the call, where the audit log records it. */
  client_address: string;
};

/** @internal */
export type Refused = {
  code: string;
  message: string;
  param: string;
  details: string;
  hint: string;
  retry_after_s: number;
  /** Ids that caused the refusal, with commas between them. */
  causes: string;
};

/** @internal */
export type Fragment = {
  slot: number;
  text: Uint8Array;
};

/**
 * A body put together of fragments that many answers share: `head`, the fragments with commas between them, `tail`. The edge
 * holds fragments in slots, as the host tells it, for as long as the stream lives.
 * @internal
 */
export type List = {
  head: Uint8Array;
  /** Fragments that the edge does not hold yet. */
  fragments: readonly Fragment[];
  /** Slots of the list's fragments, in order. */
  slots: readonly number[];
  tail: Uint8Array;
  /** Slots to be emptied when the list has been read. */
  dropped: readonly number[];
  /** Bytes after each fragment in this list alone: none, or one entry for each fragment. */
  endings: readonly Uint8Array[];
};

/**
 * Copies are stale after a notice of the kind about the tenant, of a newer revision that names one of the ids.
 * @internal
 */
export type Dependency = {
  /** The caller's tenant, if empty. */
  store: string;
  sandbox: boolean;
  /** A kind of the runtime's `Notice`. */
  kind: string;
  /** 0 stands for the current revision at the time of the call. */
  revision: number;
  /** Without ids, every change of the kind counts. */
  ids: readonly string[];
};

/** @internal */
export type Answer = {
  body: Uint8Array;
  /** A stored answer, sent again. */
  replayed: boolean;
  refused: Refused;
  /** In place of a body. */
  list: List;
  /**
   * The host is shutting down and did not start the call: the edge can send it to another host, even if it writes. The
   * refusal is for an edge that knows no other host.
   */
  away: boolean;
  /** Dependencies of copies of a read, without which the edge keeps none; changes of a write. */
  depends_on: readonly Dependency[];
  /** Milliseconds after which copies are stale; 0: no limit. */
  fresh_ms: number;
};

/** @internal */
export type Hello = {
  /** Names of the services hosted, for example `Catalog`. */
  services: readonly string[];
  /** The host takes no new calls; it still answers those in flight. */
  draining: boolean;
};

/**
 * Copies are stale: of a tenant's catalogue (`revision`, and `ids` of products or `all`), or of what `kind` names.
 * @internal
 */
export type Changed = {
  store: string;
  sandbox: boolean;
  revision: number;
  all: boolean;
  ids: readonly string[];
  /** A kind of the runtime's `Notice`. */
  kind: string;
};

/** @internal */
export type Frame = {
  /** Chosen by the edge, echoed in the answer; 0 on hello and notice. */
  id: number;
  ask?: Ask;
  answer?: Answer;
  /** The edge no longer waits for the frame's id. */
  cancel?: boolean;
  hello?: Hello;
  changed?: Changed;
};

/**
 * The frames gathered in one turn of the sender's event loop.
 * @internal
 */
export type Batch = {
  frames: readonly Frame[];
};
