// Generated from stoa/v1/meta.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetApiInfoRequest = Record<never, never>;

export type ApiInfo = {
  name: string;
  version: string;
  documentation_url: string;
};

export type GetHealthRequest = Record<never, never>;

export type Health = {
  status: string;
  version: string;
  /** Health of each part. */
  components: Record<string, string>;
};

/** @internal */
export type GetHostHealthRequest = Record<never, never>;

/** @internal */
export type HostHealth = {
  components: Record<string, string>;
};

/**
 * The service itself.
 * @internal
 */
export interface MetaRpcs {
  GetApiInfo: { request: GetApiInfoRequest; response: ApiInfo };
  GetHealth: { request: GetHealthRequest; response: Health };
}

/**
 * A services host, about itself.
 * @internal
 */
export interface HostRpcs {
  GetHealth: { request: GetHostHealthRequest; response: HostHealth };
}
