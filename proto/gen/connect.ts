// Generated from stoa/v1/connect.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';
import type { Principal } from './store_directory.ts';

export type ConnectSession = {
  id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** Page on which the merchant decides; null after the decision. */
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
  fields?: string;
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
  /** Accurate to a minute. */
  last_used_at: string | null;
};

export type ListGrantsRequest = {
  limit?: number;
  cursor?: string;
  fields?: string;
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
  /** Always true: an invalid request is answered with an OAuth error. */
  valid: boolean;
  client_name: string;
  store_name: string;
  scopes: readonly string[];
};

export type IssueTokenRequest = {
  grant_type?: string;
  code?: string;
  /** The URI of the authorization request. */
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

/** A token of any length gets an answer: 200 also for text that is no token of Stoa's. */
export type RevokeTokenRequest = {
  token?: string;
  token_type_hint?: string;
  client_id?: string;
  client_secret?: string | null;
  /** HTTP Basic: the client's id and secret. */
  authorization?: string;
};

export type RevokeTokenResponse = Record<never, never>;

/** @internal */
export type ResolveAccessTokenRequest = {
  token_hash: string;
};

/** @internal */
export type ResolveAccessTokenResponse = {
  principal: Principal;
  scopes: readonly string[];
  /** Time until it expires, by the tenant's clock. */
  expires_in_ms: number;
  /** The app's name. */
  name: string;
};

/** @internal */
export type ConsentRequest = {
  /** The part of `connect_url` after `/connect/`. */
  ticket: string;
  /** The query of the address, as it came. */
  query?: string;
};

/** @internal */
export type ConsentResponse = {
  store_name: string;
  client_name: string;
  environment: "production" | "sandbox";
  scopes: readonly string[];
  /** URL that a decision redirects to. */
  redirect_uri: string;
  /** Set when the request cannot be decided: the URL that reports this to the app. */
  location: string | null;
};

/** @internal */
export type DecideConsentRequest = {
  ticket: string;
  query?: string;
  allow?: boolean;
};

/** @internal */
export type DecideConsentResponse = {
  location: string;
};

/** @internal */
export type CreateClientRequest = {
  name: string;
  redirect_uris: readonly string[];
};

/** @internal */
export type CreateClientResponse = {
  client_id: string;
  client_secret: string;
};

/**
 * How an app gets access to a store, and how the store takes it back.
 * @internal
 */
export interface ConnectRpcs {
  CreateSession: { request: CreateConnectSessionRequest; response: ConnectSessionResponse };
  ListSessions: { request: ListConnectSessionsRequest; response: ListConnectSessionsResponse };
  ListGrants: { request: ListGrantsRequest; response: ListGrantsResponse };
  DeleteGrant: { request: DeleteGrantRequest; response: Deleted };
  ValidateAuthorization: { request: ValidateAuthorizationRequest; response: ValidateAuthorizationResponse };
  IssueToken: { request: IssueTokenRequest; response: IssueTokenResponse };
  RevokeToken: { request: RevokeTokenRequest; response: RevokeTokenResponse };
}

/**
 * Access tokens and the consent page, as the edge reads them.
 * @internal
 */
export interface ConnectDirectoryRpcs {
  ResolveAccessToken: { request: ResolveAccessTokenRequest; response: ResolveAccessTokenResponse };
  ShowConsent: { request: ConsentRequest; response: ConsentResponse };
  DecideConsent: { request: DecideConsentRequest; response: DecideConsentResponse };
}

/**
 * Clients, as the command line manages them.
 * @internal
 */
export interface ConnectAdminRpcs {
  CreateClient: { request: CreateClientRequest; response: CreateClientResponse };
}
