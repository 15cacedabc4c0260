// Generated from stoa/v1/connect.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type ConnectSession = {
  id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** Where the merchant decides; null once they have. */
  connect_url: string | null;
  status: "pending" | "authorized" | "denied" | "expired";
  scopes: readonly string[];
  created_at: string;
  expires_at: string;
};

export type ConnectSessionResponse = {
  session: ConnectSession;
};

export type CreateConnectSessionRequest = {
  client_name: string;
  /**
   * Compared letter by letter with what the app sends. `https`, `http` on this machine alone, or an app's own scheme with a
   * dot in it.
   */
  redirect_uri: string;
  /**
   * `<resource>:read` and `<resource>:write`; a resource is one of `catalog`, `orders`, `customers`, `payments`, `promotions`,
   * `shipping`, `content`, `reviews`, `returns`, `messaging`, `b2b`, `webhooks`, `store` and `ingestion`.
   */
  scopes: readonly string[];
  /** A client that exists; its redirect addresses hold this one. */
  client_id?: string;
};

export type ListConnectSessionsRequest = {
  limit?: number;
  cursor?: string;
};

export type ListConnectSessionsResponse = {
  sessions: readonly ConnectSession[];
  pagination: Pagination;
};

export type ConnectGrant = {
  id: string;
  client_id: string;
  client_name: string;
  scopes: readonly string[];
  created_at: string;
  /** To within a minute. */
  last_used_at: string | null;
};

export type ListGrantsRequest = {
  limit?: number;
  cursor?: string;
};

export type ListGrantsResponse = {
  grants: readonly ConnectGrant[];
  pagination: Pagination;
};

export type DeleteGrantRequest = {
  id: string;
};

export type ValidateAuthorizationRequest = {
  response_type?: string;
  client_id?: string;
  redirect_uri?: string;
  /** With spaces in between; left out: all that the session names. */
  scope?: string;
  state?: string;
  code_challenge?: string;
  code_challenge_method?: string;
};

export type ValidateAuthorizationResponse = {
  /** Always true: what is not valid is answered with an OAuth error. */
  valid: boolean;
  client_name: string;
  store_name: string;
  scopes: readonly string[];
};

export type IssueTokenRequest = {
  grant_type?: string;
  code?: string;
  /** As the authorization request named it. */
  redirect_uri?: string;
  code_verifier?: string;
  refresh_token?: string | null;
  /** With a refresh token: fewer scopes than were granted. */
  scope?: string | null;
  client_id?: string;
  client_secret?: string | null;
  /** HTTP Basic: the client's id and secret. */
  authorization?: string;
};

export type IssueTokenResponse = {
  access_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
  store_id: string;
};

export type RevokeTokenRequest = {
  token?: string;
  token_type_hint?: string;
  client_id?: string;
  client_secret?: string | null;
  /** HTTP Basic: the client's id and secret. */
  authorization?: string;
};

export type RevokeTokenResponse = Record<never, never>;
