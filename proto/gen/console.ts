// Generated from stoa/v1/console.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetActivityRequest = {
  /** Requests; 100 where left out. */
  limit?: number;
};

export type RequestNote = {
  request_id: string;
  at: string;
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  took_ms: number;
  key_type: "publishable" | "secret" | "operator";
};

export type RequestSecond = {
  at: string;
  requests: number;
  /** Answered 4xx. */
  refused: number;
  /** Answered 5xx. */
  failed: number;
  p50_ms: number;
  p95_ms: number;
};

export type GetActivityResponse = {
  requests: readonly RequestNote[];
  /** The last two minutes, oldest first; seconds without a request are left out. */
  seconds: readonly RequestSecond[];
};

/** Answered by the edge itself, from memory. */
export interface ConsoleRpcs {
  GetActivity: { request: GetActivityRequest; response: GetActivityResponse };
}
