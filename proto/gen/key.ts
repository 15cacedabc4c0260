// Generated from stoa/v1/key.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

export type ApiKey = {
  id: string;
  /** For people. */
  name: string;
  type: "secret" | "publishable";
  environment: "production" | "sandbox";
  /** Scopes of a restricted key; null for a full one, which opens all that its type opens. */
  scopes: readonly string[] | null;
  /** How its text begins. */
  prefix: string;
  /** The last four characters of its text; null for a key from before these were stored. */
  last_four: string | null;
  created_at: string;
  /** Null while no use is recorded. */
  last_used_at: string | null;
  /** Address from which it was used last. Null for a publishable key, which shoppers use. */
  last_used_address: string | null;
  /** Time from which it opens nothing; null for a key without end. */
  expires_at: string | null;
  /** Whether it has ended. */
  revoked: boolean;
  /** The key's whole text, at creation and roll only. */
  secret?: string;
  /** Signs requests that are sent with this key, at creation and roll of a secret key only. */
  hmac_secret?: string;
};

export type KeyResponse = {
  key: ApiKey;
};

export type ListKeysRequest = {
  limit?: number;
  cursor?: string;
  /** Only keys of this environment. */
  environment?: "production" | "sandbox";
  /** Comma-separated names of a key's fields to return. */
  fields?: string;
};

export type ListKeysResponse = {
  keys: readonly ApiKey[];
  pagination: Pagination;
};

export type CreateKeyRequest = {
  name: string;
  type: "secret" | "publishable";
  environment: "production" | "sandbox";
  /**
   * Restricts a secret key: `<resource>:read` and `<resource>:write`; a resource is one of `catalog`, `orders`, `customers`,
   * `payments`, `promotions`, `shipping`, `content`, `reviews`, `returns`, `messaging`, `b2b`, `webhooks`, `store` and
   * `ingestion`. A full key where left out.
   */
  scopes?: readonly string[] | null;
};

export type UpdateKeyRequest = {
  id: string;
  name?: string;
  /** Scopes of a secret key from now on; null makes it a full key. */
  scopes?: readonly string[] | null;
};

export type RollKeyRequest = {
  id: string;
  /** Hours for which the former key works, 0 to 168. */
  overlap_hours: number;
};

export type DeleteKeyRequest = {
  id: string;
};

/**
 * Keys of a store. Only a full live secret key manages them: restricted keys and access tokens are refused.
 * @internal
 */
export interface KeyRpcs {
  ListKeys: { request: ListKeysRequest; response: ListKeysResponse };
  CreateKey: { request: CreateKeyRequest; response: KeyResponse };
  UpdateKey: { request: UpdateKeyRequest; response: KeyResponse };
  RollKey: { request: RollKeyRequest; response: KeyResponse };
  DeleteKey: { request: DeleteKeyRequest; response: Deleted };
}
