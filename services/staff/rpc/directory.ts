// Handlers of StaffDirectory, for edges, and of StaffAdmin's reads, for the command line.
import type { ResolveStaffSessionRequest, StaffAdminRpcs, StaffDirectoryRpcs } from '#proto/gen/staff_directory.ts';
import { STAFF_PREFIX } from '#runtime/audit/actor.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { scopesOf } from '#services/commerce/staff_role.ts';
import { openSince, remainingMs } from '#services/staff/current_session.ts';
import { invitationDocument, memberDocument } from '#services/staff/document.ts';
import { openEmployers } from '#services/staff/employer.ts';
import { openInvitations } from '#services/staff/table/invitation.ts';
import { membersOf } from '#services/staff/table/member.ts';
import { findByToken, recordUse } from '#services/staff/table/session.ts';

export const directoryHandlers = (runtime: Runtime): Handlers<StaffDirectoryRpcs> => {
  const { clock, log, postgres } = runtime;
  const { askOrThrow } = openDomainClient(runtime);
  return {
    ResolveStaffSession: read(async (call: Call, { token_hash, environment }: ResolveStaffSessionRequest) => {
      const now = new Date(clock.real());
      const found = await findByToken(postgres.sql, Buffer.from(token_hash, 'hex'), openSince(now.getTime()));
      if (found === null) return notFound('staff session');
      // Each edge resolves a session once a minute at most, which bounds these writes.
      recordUse(postgres.sql, found, now).catch((problem: unknown) =>
        log.debug({ err: problem }, 'failed to record the use of a staff session'),
      );
      const { deadline, requestId, trace } = call;
      const asker = { tenant: { store: found.store, environment }, deadline, requestId, trace };
      const acting = await askOrThrow('StoreDirectory/ActForStore', asker, {
        key_id: `${STAFF_PREFIX}${found.member}`,
      });
      const scopes = scopesOf(found.role);
      return {
        principal: acting.principal,
        session_id: found.id,
        role: found.role,
        scopes: scopes && [...scopes],
        expires_in_ms: remainingMs(found.created_at, now.getTime()),
        name: found.name,
      };
    }),
  };
};

export const adminHandlers = (runtime: Runtime): Pick<Handlers<StaffAdminRpcs>, 'ReadStaff'> => {
  const employers = openEmployers(runtime);
  return {
    ReadStaff: query(async (sql, call, { store }) => {
      const found = await employers.find(call, store);
      if (found instanceof Refusal) return found;
      const [members, invitations] = await Promise.all([
        membersOf(sql, found.id),
        openInvitations(sql, found.id, new Date(runtime.clock.real())),
      ]);
      return { staff: members.map(memberDocument), invitations: invitations.map(invitationDocument) };
    }),
  };
};
