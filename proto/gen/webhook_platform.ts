// Generated from stoa/v1/webhook_platform.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type FollowCheckoutRequest = {
  checkout_intent_id: string;
  /** URL that receives the platform's order events. */
  url: string;
  /** The address of the store's profile by which the platform found it. */
  found_at: string;
  /** For people. */
  platform: string;
};

/** @internal */
export type FollowCheckoutResponse = {
  /** False where the address is none that webhooks are sent to, or the store has too many platforms. */
  followed: boolean;
};

/** @internal */
export type NotePlatformRequest = {
  checkout_intent_id: string;
  /** The address of the platform's profile. */
  profile: string;
};

/** @internal */
export type NotePlatformResponse = Record<never, never>;

/** @internal */
export type FindPlatformRequest = {
  checkout_intent_id: string;
  profile: string;
};

/** @internal */
export type FindPlatformResponse = {
  found: boolean;
};

/** @internal */
export type ListSigningKeysRequest = Record<never, never>;

/**
 * A public key on the curve P-256.
 * @internal
 */
export type StoreSigningKey = {
  kid: string;
  x: string;
  y: string;
};

/** @internal */
export type ListSigningKeysResponse = {
  keys: readonly StoreSigningKey[];
};

/**
 * The parts of an answer to sign (RFC 9421), in this order.
 * @internal
 */
export type SignAnswerRequest = {
  status: number;
  content_digest: string;
  content_type: string;
};

/**
 * The headers of the same names.
 * @internal
 */
export type SignAnswerResponse = {
  signature_input: string;
  signature: string;
};

/**
 * Platforms of assistants that receive events of the orders that they placed, and the keys that sign these events.
 * @internal
 */
export interface PlatformWebhookRpcs {
  FollowCheckout: { request: FollowCheckoutRequest; response: FollowCheckoutResponse };
  NotePlatform: { request: NotePlatformRequest; response: NotePlatformResponse };
  FindPlatform: { request: FindPlatformRequest; response: FindPlatformResponse };
  ListSigningKeys: { request: ListSigningKeysRequest; response: ListSigningKeysResponse };
  SignAnswer: { request: SignAnswerRequest; response: SignAnswerResponse };
}
