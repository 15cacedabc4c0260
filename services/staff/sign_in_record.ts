// Records sign-ins of staff in the audit log, also refused ones, for which no session and so no caller is known.
import { randomUUIDv7 } from 'bun';
import { auditChange } from '#runtime/audit/change.ts';
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { memberDocument } from './document.ts';
import type { MemberRecord } from './table/member.ts';
import type { StaffSessionRecord } from './table/session.ts';

/** `second_factor_needed`: the password or link was right, and no code was sent. */
export type SignInOutcome = 'signed_in' | 'wrong_password' | 'second_factor_needed' | 'wrong_second_factor';

interface Attempt {
  readonly call: Pick<Call, 'requestId'>;
  /** An IPv4 address, or the first 64 bits of an IPv6 one. */
  readonly network: string | undefined;
}

interface StaffWrite {
  readonly endpoint: string;
  readonly operation: string;
  readonly resource: string;
  readonly resourceId: string | null;
  readonly after: object;
}

const record = (tx: Transaction, member: MemberRecord, { call, network }: Attempt, write: StaffWrite): void => {
  const { after, ...named } = write;
  const tenant: Tenant = { store: member.store, environment: 'production' };
  tx.audit(() => {
    const now = tx.clock.now(tenant);
    return {
      ...named,
      id: randomUUIDv7(undefined, now),
      tenant,
      createdAt: now,
      recordedAt: new Date(tx.clock.real()),
      actor: { kind: 'staff', id: member.id, name: member.name },
      change: auditChange(false, null, { ...after }),
      address: network || null,
      requestId: call.requestId || null,
    };
  });
};

export const recordSignInAttempt = (
  tx: Transaction,
  member: MemberRecord,
  attempt: Attempt,
  {
    outcome,
    beganWith,
    session = null,
  }: {
    readonly outcome: SignInOutcome;
    readonly beganWith: StaffSessionRecord['began_with'];
    readonly session?: string | null;
  },
): void =>
  record(tx, member, attempt, {
    endpoint: 'POST /v1/staff/session',
    operation: 'beginStaffSession',
    resource: 'staff_session',
    resourceId: session,
    after: { outcome, began_with: beganWith },
  });

export const recordAcceptance = (tx: Transaction, member: MemberRecord, attempt: Attempt): void =>
  record(tx, member, attempt, {
    endpoint: 'POST /v1/staff/invitations/accept',
    operation: 'acceptStaffInvitation',
    resource: 'staff',
    resourceId: member.id,
    after: memberDocument(member),
  });
