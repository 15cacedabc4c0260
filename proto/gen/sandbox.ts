// Generated from stoa/v1/sandbox.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type ResetSandboxRequest = {
  copy_catalogue?: boolean;
};

export type ResetSandboxResponse = {
  reset: boolean;
  /** The sandbox's clock, which is the real one again. */
  now: string;
};

/** Exactly one of both. */
export type TravelTimeRequest = {
  /** Ten years at most. */
  advance_seconds?: number;
  /** A time that is not in the past of the sandbox's clock. */
  to?: string;
};

/** Things that came about in a jump. */
export type Fired = {
  /** An event's type, or the noun of what came due without one. */
  type: string;
  count: number;
};

export type TravelTimeResponse = {
  now: string;
  fired: readonly Fired[];
};

export type GetClockRequest = Record<never, never>;

export type GetClockResponse = {
  offset_seconds: number;
};

/**
 * Tools that only a sandbox has.
 * @internal
 */
export interface SandboxRpcs {
  ResetSandbox: { request: ResetSandboxRequest; response: ResetSandboxResponse };
  TravelTime: { request: TravelTimeRequest; response: TravelTimeResponse };
  GetClock: { request: GetClockRequest; response: GetClockResponse };
}
