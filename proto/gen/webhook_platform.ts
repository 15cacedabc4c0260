// Generated from stoa/v1/webhook_platform.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type FollowCheckoutRequest = {
  checkout_intent_id: string;
  /** Where the platform wants to hear of orders. */
  url: string;
  /** The address of the store's profile by which the platform found it. */
  found_at: string;
  /** For people. */
  platform: string;
};

export type FollowCheckoutResponse = {
  /** False where the address is none that webhooks are sent to, or the store has too many platforms. */
  followed: boolean;
};

export type ListSigningKeysRequest = Record<never, never>;

/** A public key on the curve P-256. */
export type StoreSigningKey = {
  kid: string;
  x: string;
  y: string;
};

export type ListSigningKeysResponse = {
  keys: readonly StoreSigningKey[];
};

/** What of an answer is signed (RFC 9421), in this order. */
export type SignAnswerRequest = {
  status: number;
  content_digest: string;
  content_type: string;
};

/** The headers of the same names. */
export type SignAnswerResponse = {
  signature_input: string;
  signature: string;
};

/** Platforms of assistants that hear of the orders which they began, and the keys that sign what they are told. */
export interface PlatformWebhookRpcs {
  FollowCheckout: { request: FollowCheckoutRequest; response: FollowCheckoutResponse };
  ListSigningKeys: { request: ListSigningKeysRequest; response: ListSigningKeysResponse };
  SignAnswer: { request: SignAnswerRequest; response: SignAnswerResponse };
}
