// Generated from stoa/v1/staff_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CreateInvitationResponse, StaffInvitation, StaffMember } from './staff.ts';
import type { Principal } from './store_directory.ts';

/** @internal */
export type ResolveStaffSessionRequest = {
  token_hash: string;
  environment: "production" | "sandbox";
};

/** @internal */
export type ResolveStaffSessionResponse = {
  principal: Principal;
  session_id: string;
  role: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
  /** Null of an owner. */
  scopes: readonly string[] | null;
  /** Time until it expires without a further use. */
  expires_in_ms: number;
  /** The person's name. */
  name: string;
};

/** @internal */
export type InviteStaffRequest = {
  /** The store's id or code, or a marketplace operator's id. */
  store: string;
  email: string;
  name?: string | null;
  role: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
};

/** @internal */
export type ReadStaffRequest = {
  /** The store's id or code, or a marketplace operator's id. */
  store: string;
};

/** @internal */
export type ReadStaffResponse = {
  staff: readonly StaffMember[];
  invitations: readonly StaffInvitation[];
};

/**
 * Sessions, as edges read them.
 * @internal
 */
export interface StaffDirectoryRpcs {
  ResolveStaffSession: { request: ResolveStaffSessionRequest; response: ResolveStaffSessionResponse };
}

/**
 * Staff of a store, as the command line reads and invites them.
 * @internal
 */
export interface StaffAdminRpcs {
  Invite: { request: InviteStaffRequest; response: CreateInvitationResponse };
  ReadStaff: { request: ReadStaffRequest; response: ReadStaffResponse };
}
