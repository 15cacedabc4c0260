// Writes records of the audit log.
import type { AuditActor } from '#proto/gen/audit_log.ts';
import type { AuditChange } from '#runtime/audit/change.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

export interface AuditRow {
  readonly id: string;
  readonly tenant: Tenant;
  readonly createdAt: Date;
  /** Real time. */
  readonly recordedAt: Date;
  readonly actor: AuditActor;
  readonly endpoint: string | null;
  readonly operation: string;
  readonly resource: string;
  readonly resourceId: string | null;
  readonly change: AuditChange;
  readonly address: string | null;
  readonly requestId: string | null;
}

export const insertAudit = (sql: Sql, rows: readonly AuditRow[]) => sql`
  insert into runtime.audit (
    store, environment, id, created_at, recorded_at, actor_kind, actor, actor_name, endpoint, operation, resource, resource_id, change,
    address, request_id
  )
  select * from unnest(
    ${rows.map(({ tenant }) => tenant.store)}::uuid[], ${rows.map(({ tenant }) => tenant.environment)}::text[],
    ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
    ${rows.map(({ recordedAt }) => recordedAt.toISOString())}::timestamptz[],
    ${rows.map(({ actor }) => actor.kind)}::text[], ${rows.map(({ actor }) => actor.id)}::text[],
    ${rows.map(({ actor }) => actor.name)}::text[], ${rows.map(({ endpoint }) => endpoint)}::text[],
    ${rows.map(({ operation }) => operation)}::text[], ${rows.map(({ resource }) => resource)}::text[],
    ${rows.map(({ resourceId }) => resourceId)}::text[], ${rows.map(({ change }) => JSON.stringify(change))}::text[],
    ${rows.map(({ address }) => address)}::text[], ${rows.map(({ requestId }) => requestId)}::text[])`;
