// Reads the audit log and deletes its old records. Only the runtime adds records.
import type { AuditActor } from '#proto/gen/audit_log.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface AuditRecordRow {
  readonly id: string;
  readonly created_at: Date;
  readonly actor_kind: AuditActor['kind'];
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly endpoint: string | null;
  readonly operation: string;
  readonly resource: string;
  readonly resource_id: string | null;
  /** JSON of `before`, `after` and `shortened`. */
  readonly change: string;
  readonly address: string | null;
  readonly request_id: string | null;
}

export interface AuditFilter {
  readonly actor: string | null;
  readonly resource: string | null;
  readonly resourceId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly after: { readonly createdAt: Date; readonly id: string } | null;
}

/** Newest first. Each condition that is absent is left out, so that an index in this order answers every filter. */
export const pageOfRecords = (
  sql: Sql,
  { store, environment }: Tenant,
  { actor, resource, resourceId, from, to, after }: AuditFilter,
  limit: number,
): Promise<readonly AuditRecordRow[]> => sql<AuditRecordRow[]>`
  select id, created_at, actor_kind, actor, actor_name, endpoint, operation, resource, resource_id, change, address,
    request_id
  from runtime.audit
  where store = ${store} and environment = ${environment}
    ${actor === null ? sql`` : sql`and actor = ${actor}`}
    ${resource === null ? sql`` : sql`and resource = ${resource}`}
    ${resourceId === null ? sql`` : sql`and resource_id = ${resourceId}`}
    ${from === null ? sql`` : sql`and created_at >= ${from}`}
    ${to === null ? sql`` : sql`and created_at < ${to}`}
    ${after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const deleteOldRecords = async (
  sql: Sql,
  before: Date,
  limit: number,
  store: string | null,
): Promise<number> => {
  const gone = await sql`
    delete from runtime.audit where ctid = any(array(
      select ctid from runtime.audit
      where recorded_at < ${before} ${store === null ? sql`` : sql`and store = ${store} and created_at < ${before}`}
      order by recorded_at limit ${limit}))`;
  return gone.count;
};
