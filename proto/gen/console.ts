// Generated from stoa/v1/console.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetActivityRequest = {
  /** Requests. */
  limit?: number;
};

export type GetRequestRequest = {
  request_id: string;
};

export type RequestNote = {
  request_id: string;
  at: string;
  method: string;
  /** Without its query. */
  path: string;
  /** Without its question mark; empty where there is none. */
  query: string;
  status: number;
  took_ms: number;
  key_type: "publishable" | "secret" | "operator";
};

export type GetRequestResponse = {
  request: RequestNote;
  /**
   * JSON without secrets, at most 4,000 characters; null where the request was not refused, its body was no JSON, or it is
   * no longer known.
   */
  request_body: string | null;
  /** Likewise, 2,000 characters. */
  response_body: string | null;
};

export type RequestSecond = {
  at: string;
  requests: number;
  /** Answered 4xx. */
  refused: number;
  /** Answered 5xx. */
  failed: number;
  /** Median of requests that did not wait for an event by `wait_seconds`; 0 when every request did. */
  p50_ms: number;
  p95_ms: number;
};

export type GetActivityResponse = {
  requests: readonly RequestNote[];
  /** The last two minutes, oldest first; seconds without a request are left out. */
  seconds: readonly RequestSecond[];
};

/**
 * Answered by the edge itself, from memory.
 * @internal
 */
export interface ConsoleRpcs {
  GetActivity: { request: GetActivityRequest; response: GetActivityResponse };
  GetRequest: { request: GetRequestRequest; response: GetRequestResponse };
}
