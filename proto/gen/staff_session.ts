// Generated from stoa/v1/staff_session.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted } from './shared.ts';
import type { StaffMember, StaffResponse } from './staff.ts';

export type AcceptInvitationRequest = {
  /** The link's query parameter `token`. */
  token: string;
  password: string;
  /** The invitation's where left out. */
  name?: string | null;
  session_hash?: string;
  network?: string;
  agent_header?: string;
};

/** Address and password, or the token of a link. */
export type BeginStaffSessionRequest = {
  email?: string;
  password?: string;
  /** Id or code of the store, or id of the operator, for an address that is on the staff of several. Left out: the one last signed in to. */
  store?: string;
  /** The query parameter `token` of a mailed link. */
  token?: string;
  /** A code of the authenticator app. Each code signs in once. */
  totp?: string;
  /** In place of `totp`, once. Letter case, blanks and hyphens do not count. */
  recovery_code?: string;
  session_hash?: string;
  network?: string;
  agent_header?: string;
};

/** The store of the session, as a dashboard shows it. */
export type StaffStore = {
  id: string;
  name: string;
  code: string;
  logo_url: string | null;
  website_url: string | null;
  currency: string;
  currency_symbol: string;
  country: string | null;
  timezone: string;
  wholesale_enabled: boolean;
};

/** The marketplace operator of the session. */
export type StaffOperator = {
  id: string;
  name: string;
};

export type StaffSignedIn = {
  staff: StaffMember;
  /** Null for an account of a marketplace operator. */
  store: StaffStore | null;
  /** Null for an account of a store. */
  operator: StaffOperator | null;
};

export type SendStaffLinkRequest = {
  email: string;
};

export type StaffLinkAccepted = {
  message: string;
  /** The address of the request. */
  email: string;
};

export type GetStaffSessionRequest = Record<never, never>;

export type EndStaffSessionRequest = Record<never, never>;

export type ListStaffSessionsRequest = {
  /** Account of the sessions; the caller's own where left out. */
  staff_id?: string;
  /** Comma-separated names of a session's fields to return. */
  fields?: string;
};

export type SignedInDevice = {
  id: string;
  /** Whether it is the session of this request. */
  is_current: boolean;
  /** The IPv4 address, or the /64 of an IPv6 one. */
  network: string;
  user_agent: string | null;
  created_at: string;
  /** Within a minute. */
  last_used_at: string;
};

export type ListStaffSessionsResponse = {
  sessions: readonly SignedInDevice[];
};

export type DeleteStaffSessionRequest = {
  id: string;
};

export type ChangeStaffPasswordRequest = {
  current_password?: string;
  new_password: string;
};

export type BeginTotpRequest = Record<never, never>;

export type BeginTotpResponse = {
  /** Base32, as an authenticator app takes it. */
  secret: string;
  /** The same as an address, for a QR code. */
  otpauth_uri: string;
};

export type ConfirmTotpRequest = {
  code: string;
};

export type ConfirmTotpResponse = {
  recovery_codes: readonly string[];
};

export type DeleteTotpRequest = {
  /** A code of the authenticator app, or a recovery code. */
  code: string;
};

/**
 * Sessions of the dashboard. The cookie `stoa_staff`, which no script reads, and the header `X-Stoa-Dashboard: production` or
 * `X-Stoa-Dashboard: sandbox` replace a secret key. The call is made as the signed-in person, within the scopes of the role.
 * @internal
 */
export interface StaffSessionRpcs {
  AcceptInvitation: { request: AcceptInvitationRequest; response: StaffSignedIn };
  BeginSession: { request: BeginStaffSessionRequest; response: StaffSignedIn };
  SendLink: { request: SendStaffLinkRequest; response: StaffLinkAccepted };
  GetSession: { request: GetStaffSessionRequest; response: StaffSignedIn };
  EndSession: { request: EndStaffSessionRequest; response: Deleted };
  ListSessions: { request: ListStaffSessionsRequest; response: ListStaffSessionsResponse };
  DeleteSession: { request: DeleteStaffSessionRequest; response: Deleted };
  ChangePassword: { request: ChangeStaffPasswordRequest; response: StaffResponse };
  BeginTotp: { request: BeginTotpRequest; response: BeginTotpResponse };
  ConfirmTotp: { request: ConfirmTotpRequest; response: ConfirmTotpResponse };
  DeleteTotp: { request: DeleteTotpRequest; response: StaffResponse };
}
