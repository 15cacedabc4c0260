// The API's documents of staff accounts, invitations and sessions.
import type { StaffInvitation, StaffMember } from '#proto/gen/staff.ts';
import type { SignedInDevice, StaffStore } from '#proto/gen/staff_session.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { scopesOf } from '#services/commerce/staff_role.ts';
import type { InvitationRecord } from './table/invitation.ts';
import type { MemberRecord } from './table/member.ts';
import type { StaffSessionRecord } from './table/session.ts';

export const memberDocument = (member: MemberRecord): StaffMember => {
  const scopes = scopesOf(member.role);
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    scopes: scopes && [...scopes],
    has_totp: member.totp_secret !== null,
    created_at: member.created_at.toISOString(),
    last_signed_in_at: member.last_signed_in_at?.toISOString() ?? null,
  };
};

export const invitationDocument = ({ store: _, ...invitation }: InvitationRecord): StaffInvitation => ({
  ...invitation,
  created_at: invitation.created_at.toISOString(),
  expires_at: invitation.expires_at.toISOString(),
});

export const sessionDocument = (session: StaffSessionRecord, current: string | null): SignedInDevice => ({
  id: session.id,
  is_current: session.id === current,
  network: session.network,
  user_agent: session.user_agent,
  created_at: session.created_at.toISOString(),
  last_used_at: session.last_used_at.toISOString(),
});

export const storeDocument = (profile: GetProfileResponse): StaffStore => ({
  id: profile.id,
  name: profile.name,
  code: profile.code,
  logo_url: profile.logo_url,
  website_url: profile.website_url,
  currency: profile.currency,
  currency_symbol: profile.currency_symbol,
  country: profile.country,
  timezone: profile.timezone,
  wholesale_enabled: profile.wholesale_enabled,
});
