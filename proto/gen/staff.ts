// Generated from stoa/v1/staff.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted } from './shared.ts';

export type StaffMember = {
  id: string;
  email: string;
  name: string | null;
  role: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
  /** Scopes of the role, as apps have them. Null for owners, who may do everything that a secret key may. */
  scopes: readonly string[] | null;
  /** Whether signing in needs a code of an authenticator app. */
  has_totp: boolean;
  created_at: string;
  /** Null before the first sign-in. */
  last_signed_in_at: string | null;
};

export type StaffResponse = {
  staff: StaffMember;
};

export type ListStaffRequest = {
  /** Comma-separated names of an account's fields to return. */
  fields?: string;
};

export type ListStaffResponse = {
  staff: readonly StaffMember[];
};

export type UpdateStaffRequest = {
  id: string;
  role?: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
  /** Null removes it. */
  name?: string | null;
};

export type DeleteStaffRequest = {
  id: string;
};

export type StaffInvitation = {
  id: string;
  email: string;
  name: string | null;
  role: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
  created_at: string;
  expires_at: string;
};

export type CreateInvitationRequest = {
  email: string;
  name?: string | null;
  role: "owner" | "manager" | "catalogue" | "orders" | "support" | "analyst";
};

export type CreateInvitationResponse = {
  invitation: StaffInvitation;
  /** The mailed address, for a store that hands it over itself. Shown this once. */
  link: string;
};

export type ListInvitationsRequest = {
  /** Comma-separated names of an invitation's fields to return. */
  fields?: string;
};

export type ListInvitationsResponse = {
  invitations: readonly StaffInvitation[];
};

export type DeleteInvitationRequest = {
  id: string;
};

/**
 * People who work at the store, or at the marketplace operator whose key calls. An account belongs to it: one sign-in serves
 * production and the sandbox.
 * @internal
 */
export interface StaffRpcs {
  ListStaff: { request: ListStaffRequest; response: ListStaffResponse };
  UpdateStaff: { request: UpdateStaffRequest; response: StaffResponse };
  DeleteStaff: { request: DeleteStaffRequest; response: Deleted };
  CreateInvitation: { request: CreateInvitationRequest; response: CreateInvitationResponse };
  ListInvitations: { request: ListInvitationsRequest; response: ListInvitationsResponse };
  DeleteInvitation: { request: DeleteInvitationRequest; response: Deleted };
}
