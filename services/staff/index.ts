// The staff domain: the people who work at a store or a marketplace operator, their roles, and their sessions of the dashboard.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { openPasswords } from '#services/commerce/password.ts';
import { openSince } from './current_session.ts';
import { invitationDocument, memberDocument } from './document.ts';
import { LINK_MS } from './mail.ts';
import { credentialHandlers } from './rpc/credential.ts';
import { adminHandlers, directoryHandlers } from './rpc/directory.ts';
import { sessionHandlers } from './rpc/session.ts';
import { staffHandlers } from './rpc/staff.ts';
import { totpContext } from './secret.ts';
import { openSignIns } from './sign_in.ts';
import { deleteExpiredInvitations, openInvitations } from './table/invitation.ts';
import { deleteOldLinks } from './table/link.ts';
import { deleteOldFailures, findMember } from './table/member.ts';
import { deleteEndedSessions } from './table/session.ts';

const DELETE_EVERY_MS = 60_000;
const FAILURES_RETENTION_MS = 3_600_000;

const secretColumn = (column: 'totp_secret' | 'totp_pending'): SealedColumn => ({
  table: 'staff.member',
  column,
  id: 'id',
  isShared: true,
  context: ({ store }, id) => totpContext(store, id),
});

export const staff = (runtime: Runtime): Domain => {
  const { postgres, clock, log } = runtime;
  const passwords = openPasswords(runtime.settings.hashNiceness);
  const signIns = openSignIns(runtime, passwords);
  const { Invite, ...handlers } = staffHandlers(runtime);
  let stopDeleting = (): void => {};

  const deleteExpired = async (): Promise<void> => {
    const before = (ms: number): Date => new Date(clock.real() - ms);
    await deleteEndedSessions(postgres.sql, openSince(clock.real()));
    await deleteExpiredInvitations(postgres.sql, before(0));
    await deleteOldLinks(postgres.sql, before(LINK_MS));
    await deleteOldFailures(postgres.sql, before(FAILURES_RETENTION_MS));
  };

  return {
    name: 'staff',
    sealedColumns: [secretColumn('totp_secret'), secretColumn('totp_pending')],
    services: {
      Staff: handlers,
      StaffSession: {
        ...sessionHandlers(runtime, passwords, signIns),
        ...credentialHandlers(runtime, passwords),
      },
      StaffDirectory: directoryHandlers(runtime),
      StaffAdmin: { Invite, ...adminHandlers(runtime) },
    },
    records: {
      staff: async (sql, { store }, id) => {
        const found = await findMember(sql, store, id);
        return found && memberDocument(found);
      },
      invitation: async (sql, { store }, id) => {
        const open = await openInvitations(sql, store, new Date(clock.real()));
        const found = open.find((invitation) => invitation.id === id);
        return found ? invitationDocument(found) : null;
      },
    },
    // Sign-ins are slowed by real time, in no sandbox.
    reset: { tables: { 'staff.login_failure': 'retained' } },
    start: async () => {
      stopDeleting = repeatedly({
        everyMs: DELETE_EVERY_MS,
        able: () => postgres.available,
        work: deleteExpired,
        failed: (problem) => log.warn({ err: problem }, 'failed to delete ended sessions of staff'),
      });
    },
    stop: async () => {
      stopDeleting();
      passwords.close();
    },
  };
};
