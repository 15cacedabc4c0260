// Generated from stoa/v1/store_admin.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ApiKey, KeyResponse } from './key.ts';
import type { PlanLimits } from './store_directory.ts';

/** @internal */
export type CreateStoreRequest = {
  name: string;
  currency: string;
  country?: string | null;
  /** `starter` where left out; `trial` is a trial of starter. */
  plan?: "trial" | "starter" | "growth" | "premium" | "enterprise";
  wholesale?: boolean;
};

/** @internal */
export type CreateStoreResponse = {
  store_id: string;
  code: string;
  secret_key: string;
  publishable_key: string;
  secret_test_key: string;
  publishable_test_key: string;
  hmac_secret: string;
  hmac_test_secret: string;
};

/** @internal */
export type CreateOperatorRequest = {
  name: string;
  /** Ids or codes of its merchants. */
  stores: readonly string[];
};

/** @internal */
export type CreateOperatorResponse = {
  operator_id: string;
  operator_key: string;
  operator_test_key: string;
};

/** @internal */
export type SetMerchantRequest = {
  operator: string;
  /** The store's id or code. */
  store: string;
  /** Whether it is a merchant of the operator's from here on. */
  member: boolean;
};

/** @internal */
export type SetMerchantResponse = {
  operator_id: string;
  /** All of its merchants. */
  stores: readonly string[];
};

/** @internal */
export type RotateKeysRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
  /** The kind of key to replace; `secret` when left out. */
  kind?: "secret" | "publishable" | "hmac";
};

/** @internal */
export type RotateKeysResponse = {
  environment: string;
  kind: string;
  /** The new key or secret, shown this once. */
  value: string;
};

/** @internal */
export type RotateHmacSecretRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
  /** `start` where left out. */
  step?: "start" | "undo" | "finish";
};

/** @internal */
export type RotateHmacSecretResponse = {
  environment: string;
  /** The new secret, shown this once; null where none was made. */
  hmac_secret: string | null;
  /** Until when both secrets are accepted; null after the finish. */
  both_until: string | null;
};

/** @internal */
export type GetHmacRotationRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
};

/** @internal */
export type GetHmacRotationResponse = {
  environment: string;
  /** Null: one secret is accepted. */
  both_until: string | null;
};

/** @internal */
export type GetSealingRequest = Record<never, never>;

/** @internal */
export type SealedCount = {
  /** The table and its column. */
  name: string;
  secrets: number;
  /** How many of them are not sealed under the first master key yet. */
  waiting: number;
};

/** @internal */
export type GetSealingResponse = {
  /** The first key's id, a byte of its digest; null where another key has the same one. */
  key_id: number | null;
  columns: readonly SealedCount[];
};

/** @internal */
export type ListStoreKeysRequest = {
  /** The store's id or code. */
  store: string;
};

/** @internal */
export type ListStoreKeysResponse = {
  keys: readonly ApiKey[];
};

/** @internal */
export type CreateStoreKeyRequest = {
  /** The store's id or code. */
  store: string;
  name: string;
  type: "secret" | "publishable";
  environment: "production" | "sandbox";
  /** Restricts a secret key; a full one where left out. */
  scopes?: readonly string[] | null;
};

/** @internal */
export type RollStoreKeyRequest = {
  /** The store's id or code. */
  store: string;
  key_id: string;
  /** Hours for which the former key works, 0 to 168. */
  overlap_hours: number;
};

/** @internal */
export type RevokeKeyRequest = {
  /** The key's whole text. */
  key?: string;
  key_id?: string;
  /** The store's id or code; a key of another store is not found then. */
  store?: string;
};

/** @internal */
export type RevokeKeyResponse = {
  key_id: string;
  revoked: boolean;
};

/** @internal */
export type SetPlanRequest = {
  /** The store's id or code. */
  store: string;
  /** `trial` is a trial of starter. */
  plan: "trial" | "starter" | "growth" | "premium" | "enterprise";
  /** A trial of the plan. */
  trial?: boolean;
};

/** @internal */
export type SetLapsedRequest = {
  /** The store's id or code. */
  store: string;
  /** True where left out. */
  lapsed?: boolean;
};

/** @internal */
export type SetLimitsRequest = {
  /** The store's id or code. */
  store: string;
  /** Null removes the override, 0 means not metered; a field that is left out stays. */
  key_hour?: number | null;
  key_day?: number | null;
  network_hour?: number | null;
  month?: number | null;
};

/**
 * A store's plan as it now stands.
 * @internal
 */
export type PlanResponse = {
  store_id: string;
  plan: string;
  trial: boolean;
  lapsed: boolean;
  limits: PlanLimits;
};

/** @internal */
export type CreateExternalAuthSecretRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
};

/** @internal */
export type CreateExternalAuthSecretResponse = {
  external_auth_secret: string;
};

/**
 * Stores, keys and plans, as the command line manages them.
 * @internal
 */
export interface StoreAdminRpcs {
  CreateStore: { request: CreateStoreRequest; response: CreateStoreResponse };
  CreateOperator: { request: CreateOperatorRequest; response: CreateOperatorResponse };
  SetMerchant: { request: SetMerchantRequest; response: SetMerchantResponse };
  RotateKeys: { request: RotateKeysRequest; response: RotateKeysResponse };
  RotateHmacSecret: { request: RotateHmacSecretRequest; response: RotateHmacSecretResponse };
  GetHmacRotation: { request: GetHmacRotationRequest; response: GetHmacRotationResponse };
  GetSealing: { request: GetSealingRequest; response: GetSealingResponse };
  ListKeys: { request: ListStoreKeysRequest; response: ListStoreKeysResponse };
  CreateKey: { request: CreateStoreKeyRequest; response: KeyResponse };
  RollKey: { request: RollStoreKeyRequest; response: KeyResponse };
  RevokeKey: { request: RevokeKeyRequest; response: RevokeKeyResponse };
  SetPlan: { request: SetPlanRequest; response: PlanResponse };
  SetLapsed: { request: SetLapsedRequest; response: PlanResponse };
  SetLimits: { request: SetLimitsRequest; response: PlanResponse };
  CreateExternalAuthSecret: { request: CreateExternalAuthSecretRequest; response: CreateExternalAuthSecretResponse };
}
