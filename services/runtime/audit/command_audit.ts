// The audit record of a command to an actor: the journal stores it with the facts, and the projection writes its row.
import { randomUUIDv7 } from 'bun';
import type { AuditActor } from '#proto/gen/audit_log.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { AuditRow } from '#runtime/postgres/audit_row.ts';
import { type AuditChange, auditChange } from './change.ts';

export interface CommandAudit {
  readonly actor: AuditActor;
  readonly endpoint: string | null;
  readonly operation: string;
  readonly resource: string;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** The state of an actor as the audit log shows it, without persons. */
export interface AuditedState {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface JournalAudit extends CommandAudit {
  readonly resourceId: string | null;
  readonly change: AuditChange;
}

/** Null: there is no such record. */
export const journalAudit = (
  command: CommandAudit,
  before: AuditedState | null,
  after: AuditedState | null,
): JournalAudit => ({
  ...command,
  resourceId: after?.id ?? before?.id ?? null,
  change: auditChange(false, before?.fields ?? null, after?.fields ?? null),
});

export interface TenantAudit {
  readonly tenant: Tenant;
  /** When the command was decided, in ms of the tenant's clock. */
  readonly now: number;
  readonly audit: JournalAudit;
}

export const auditRowOf = ({ tenant, now, audit }: TenantAudit, realMs: number): AuditRow => ({
  ...audit,
  id: randomUUIDv7(undefined, now),
  tenant,
  createdAt: new Date(now),
  recordedAt: new Date(realMs),
});
