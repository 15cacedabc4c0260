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
  /** What each part says of itself. */
  components: Record<string, string>;
};
