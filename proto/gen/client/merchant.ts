// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** Resources of a storefront that an operator's key does not open. */
export type StoreOnly = "agent" | "b2b" | "webhookEndpoints";
