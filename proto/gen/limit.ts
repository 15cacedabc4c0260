// Generated from stoa/v1/limit.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type TakeRequest = {
  scope: "key_hour" | "key_day" | "network_hour" | "month" | "payment_hour" | "review_hour" | "auth_minute" | "reset_address" | "reset_pair";
  /** The key's id, the network's or client's address; empty for the month. */
  subject?: string;
  /** The edge, and the number of its command: later commands have larger numbers. */
  edge: string;
  sequence: number;
  /** Requests a window; 0: counted, not limited. */
  limit: number;
  /** Tokens for requests that wait. */
  need: number;
  /** Tokens for requests that may come. */
  want: number;
  /** The window that the next two are about: when it began, in Unix seconds. */
  start: number;
  /** Requests admitted in it. */
  spent: number;
  /** Tokens of it in hand. */
  held: number;
  /** The edge's clock, in ms since the epoch. */
  now: number;
  /** Whether tokens that other edges hold are recalled first when too few are left. */
  patient?: boolean;
};

/** @internal */
export type TakeResponse = {
  /** The window, in Unix seconds. */
  start: number;
  end: number;
  granted: number;
  /** Tokens that no edge has taken. */
  left: number;
};

/** @internal */
export type GetMonthRequest = Record<never, never>;

/** @internal */
export type GetMonthResponse = {
  /** When it began and ends, in Unix seconds. */
  start: number;
  end: number;
  /** Requests admitted, as edges have told: each tells once a second. */
  spent: number;
};

/** @internal */
export type AdmitResetRequest = {
  /** The e-mail address as accounts know it, as SHA-256 in hex. */
  email_hash: string;
};

/** @internal */
export type AdmitResetResponse = {
  admitted: boolean;
};

/**
 * Rate limits, as edges draw on them. The caller's tenant names the store; its environment does not matter here.
 * @internal
 */
export interface LimitRpcs {
  Take: { request: TakeRequest; response: TakeResponse };
  GetMonth: { request: GetMonthRequest; response: GetMonthResponse };
  AdmitReset: { request: AdmitResetRequest; response: AdmitResetResponse };
}
