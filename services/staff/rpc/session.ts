// Handlers of StaffSession that begin, list and end sessions of the dashboard.
import { randomUUIDv7 } from 'bun';
import type { StaffSessionRpcs } from '#proto/gen/staff_session.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { sha256 } from '#runtime/process/seal.ts';
import type { Passwords } from '#services/commerce/password.ts';
import { currentSession, openSince, publishStaffChange, SIGNED_OUT } from '#services/staff/current_session.ts';
import { sessionDocument } from '#services/staff/document.ts';
import { type Employer, openEmployers } from '#services/staff/employer.ts';
import { LINK_MS, mailLink } from '#services/staff/mail.ts';
import { newLinkToken } from '#services/staff/secret.ts';
import { INVALID_LINK, type SignIns } from '#services/staff/sign_in.ts';
import { recordAcceptance } from '#services/staff/sign_in_record.ts';
import { findInvitation, useInvitation } from '#services/staff/table/invitation.ts';
import { countLinksSince, insertLink } from '#services/staff/table/link.ts';
import { insertMember, type MemberRecord, membersByEmail } from '#services/staff/table/member.ts';
import { deleteSession, sessionsOf } from '#services/staff/table/session.ts';
import { normalEmail } from '#values/text.ts';
import { lockStaff } from './staff.ts';

type SessionRpc =
  | 'AcceptInvitation'
  | 'BeginSession'
  | 'SendLink'
  | 'GetSession'
  | 'EndSession'
  | 'ListSessions'
  | 'DeleteSession';

/** Links that an account is mailed within their lifetime; later requests are answered alike and mail nothing. */
const LINKS_MAX = 5;
/** Stores whose accounts of one address are mailed a link each. */
const LINKED_STORES_MAX = 10;

const OTHERS_SESSIONS = refuse('forbidden', 'Only an owner sees and ends sessions of others.', {
  hint: 'Leave `staff_id` out to list your own sessions.',
});
const ONE_FACTOR = refuse('invalid_request', 'Send either `token`, or `email` and `password`.', { param: 'token' });

export const sessionHandlers = (
  runtime: Runtime,
  passwords: Passwords,
  signIns: SignIns,
): Pick<Handlers<StaffSessionRpcs>, SessionRpc> => {
  const { postgres, clock, notices, settings } = runtime;
  const employers = openEmployers(runtime);
  const now = (): Date => new Date(clock.real());

  const mailLinkTo = async (tx: Transaction, member: MemberRecord, employer: Employer): Promise<void> => {
    const at = now();
    if ((await countLinksSince(tx.sql, member, new Date(at.getTime() - LINK_MS))) >= LINKS_MAX) return;
    const token = newLinkToken();
    await insertLink(tx.sql, member, sha256(token), at, new Date(at.getTime() + LINK_MS));
    await mailLink(tx, settings, employer, member.email, token);
  };

  return {
    // Hashes before the transaction, because hashing is slow, and only for a valid token.
    AcceptInvitation: query(async (sql, call, input) => {
      const hash = sha256(input.token);
      const found = await findInvitation(sql, hash, now());
      if (found === null) return INVALID_LINK;
      const password = await passwords.hash(input.password);
      if (password instanceof Refusal) return password;
      const member = await postgres.transaction(async (tx): Promise<MemberRecord | Refusal> => {
        await lockStaff(tx, found.store);
        const invitation = await useInvitation(tx.sql, hash, now());
        if (invitation === null) return INVALID_LINK;
        const { store, email, role } = invitation;
        const name = input.name === undefined ? invitation.name : input.name;
        const account = { store, id: randomUUIDv7(), email, name, role, password, created_at: now() };
        await insertMember(tx.sql, account);
        const added = { ...account, totp_secret: null, totp_pending: null, totp_step: 0, last_signed_in_at: null };
        const started = await signIns.begin(tx, added, input, 'password');
        recordAcceptance(tx, started.member, { call, network: input.network });
        return started.member;
      });
      return member instanceof Refusal ? member : signIns.signedIn(call, member);
    }),

    BeginSession: query(async (_sql, call, input) => {
      const { token, email, password } = input;
      if (token !== undefined)
        return email === undefined && password === undefined ? signIns.withLink(call, token, input) : ONE_FACTOR;
      const missing = email === undefined ? 'email' : password === undefined ? 'password' : null;
      if (missing !== null) return refuse('invalid_request', `\`${missing}\` is required.`, { param: missing });
      return signIns.withPassword(call, input);
    }),

    SendLink: query(async (sql, call, { email: typed }) => {
      const email = normalEmail(typed);
      const accounts = await membersByEmail(sql, email, null, LINKED_STORES_MAX);
      const found = await Promise.all(accounts.map(({ store }) => employers.read(call, store)));
      await postgres.transaction(async (tx) => {
        for (const [at, account] of accounts.entries()) await mailLinkTo(tx, account, found[at]!);
        if (accounts.length > 0) return;
        const token = newLinkToken();
        const at = now();
        await insertLink(tx.sql, null, sha256(token), at, new Date(at.getTime() + LINK_MS));
        await mailLink(tx, settings, null, email, token);
      });
      return { message: 'If an account has this address, a mail was sent to it.', email: typed };
    }),

    GetSession: query(async (sql, call) => {
      const current = await currentSession(sql, call, now());
      return current === null ? SIGNED_OUT : signIns.signedIn(call, current.member);
    }),

    EndSession: transaction(async (tx, { tenant: { store }, staffSession: id }) => {
      if (id === null) return SIGNED_OUT;
      await deleteSession(tx.sql, store, id, null);
      publishStaffChange(tx, notices, store);
      return { deleted: true, id };
    }),

    ListSessions: query(async (sql, call, { staff_id }) => {
      const current = await currentSession(sql, call, now());
      if (current === null) return SIGNED_OUT;
      const { store, id, role } = current.member;
      const whose = staff_id?.toLowerCase() ?? id;
      if (whose !== id && role !== 'owner') return OTHERS_SESSIONS;
      const sessions = await sessionsOf(sql, store, whose, openSince(clock.real()));
      return { sessions: sessions.map((session) => sessionDocument(session, call.staffSession)) };
    }),

    DeleteSession: transaction(async (tx, call, input) => {
      const id = input.id.toLowerCase();
      const current = await currentSession(tx.sql, call, now());
      if (current === null) return SIGNED_OUT;
      const { store, id: own, role } = current.member;
      if (!(await deleteSession(tx.sql, store, id, role === 'owner' ? null : own))) return notFound('session');
      publishStaffChange(tx, notices, store);
      return { deleted: true, id };
    }),
  };
};
