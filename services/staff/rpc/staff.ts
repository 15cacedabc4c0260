// Handlers of Staff: accounts of a store and their invitations. StaffAdmin does the same for the command line.
import { randomUUIDv7 } from 'bun';
import type { CreateInvitationRequest, CreateInvitationResponse, StaffRpcs } from '#proto/gen/staff.ts';
import type { StaffAdminRpcs } from '#proto/gen/staff_directory.ts';
import { notFound, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { publishStaffChange } from '#services/staff/current_session.ts';
import { invitationDocument, memberDocument } from '#services/staff/document.ts';
import { type Employer, openEmployers } from '#services/staff/employer.ts';
import { INVITATION_MS, invitationLink, mailInvitation } from '#services/staff/mail.ts';
import { newInvitationToken } from '#services/staff/secret.ts';
import { deleteInvitation, insertInvitation, openInvitations } from '#services/staff/table/invitation.ts';
import {
  countOwners,
  countPlaces,
  deleteMember,
  emailIsTaken,
  findMember,
  membersOf,
  updateMember,
} from '#services/staff/table/member.ts';
import { normalEmail } from '#values/text.ts';

/** Accounts and open invitations of a store together. */
const PLACES_MAX = 200;

const LAST_OWNER = refuse('conflict', 'This is the last owner. Make another account an owner first.');
const EMAIL_TAKEN = refuse('conflict', 'An account of the staff has this e-mail address. Send a different email.', {
  param: 'email',
});
const TOO_MANY = refuse(
  'conflict',
  `A store has at most ${PLACES_MAX} staff accounts and invitations. Remove one first.`,
);

/** Serializes the changes of a store's staff, so that an owner is left and the places are counted. */
export const lockStaff = (tx: Transaction, store: string): Promise<void> =>
  lockTenant(tx.sql, { store, environment: 'production' } satisfies Tenant, 'staff');

export const staffHandlers = (runtime: Runtime): Handlers<StaffRpcs> & Pick<Handlers<StaffAdminRpcs>, 'Invite'> => {
  const { clock, notices, settings } = runtime;
  const employers = openEmployers(runtime);

  const invite = async (
    tx: Transaction,
    employer: Employer,
    { email: typed, name, role }: CreateInvitationRequest,
  ): Promise<CreateInvitationResponse | Refusal> => {
    const email = normalEmail(typed);
    await lockStaff(tx, employer.id);
    if (await emailIsTaken(tx.sql, employer.id, email)) return EMAIL_TAKEN;
    const now = new Date(clock.real());
    const token = newInvitationToken();
    const invitation = {
      store: employer.id,
      id: randomUUIDv7(),
      email,
      name: name ?? null,
      role,
      created_at: now,
      expires_at: new Date(now.getTime() + INVITATION_MS),
    };
    await insertInvitation(tx.sql, invitation, sha256(token));
    if ((await countPlaces(tx.sql, employer.id)) > PLACES_MAX) return TOO_MANY;
    await mailInvitation(tx, settings, employer, email, role, token);
    const document = invitationDocument(invitation);
    tx.note({
      tenant: { store: employer.id, environment: 'production' },
      resource: 'invitation',
      id: invitation.id,
      after: document,
    });
    return { invitation: document, link: invitationLink(settings, token) };
  };

  return {
    ListStaff: query(async (sql, { tenant }) => ({ staff: (await membersOf(sql, tenant.store)).map(memberDocument) })),

    UpdateStaff: transaction(async (tx, { tenant: { store } }, { id, role, name }) => {
      await lockStaff(tx, store);
      const before = await findMember(tx.sql, store, id);
      if (before === null) return notFound('staff account');
      const demoted = before.role === 'owner' && role !== undefined && role !== 'owner';
      if (demoted && (await countOwners(tx.sql, store)) === 1) return LAST_OWNER;
      await updateMember(tx.sql, before, { role, name });
      publishStaffChange(tx, notices, store);
      return { staff: memberDocument((await findMember(tx.sql, store, id))!) };
    }),

    DeleteStaff: transaction(async (tx, { tenant: { store } }, input) => {
      const id = input.id.toLowerCase();
      await lockStaff(tx, store);
      const member = await findMember(tx.sql, store, id);
      if (member === null) return notFound('staff account');
      if (member.role === 'owner' && (await countOwners(tx.sql, store)) === 1) return LAST_OWNER;
      await deleteMember(tx.sql, store, id);
      publishStaffChange(tx, notices, store);
      return { deleted: true, id };
    }),

    CreateInvitation: staged({
      prepare: (call) => employers.read(call, call.tenant.store),
      run: (tx, _call, input, employer) => invite(tx, employer, input),
      undo: () => {},
    }),

    Invite: staged({
      prepare: (call, { store }) => employers.find(call, store),
      run: (tx, _call, input, employer) => invite(tx, employer, input),
      undo: () => {},
    }),

    ListInvitations: query(async (sql, { tenant }) => {
      const open = await openInvitations(sql, tenant.store, new Date(clock.real()));
      return { invitations: open.map(invitationDocument) };
    }),

    DeleteInvitation: transaction(async ({ sql }, { tenant: { store } }, input) => {
      const id = input.id.toLowerCase();
      const wasOpen = await deleteInvitation(sql, store, id, new Date(clock.real()));
      return wasOpen ? { deleted: true, id } : notFound('invitation');
    }),
  };
};
