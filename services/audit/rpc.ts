// Handles the rpc of the audit log.
import type { AuditLogRpcs, AuditRecord } from '#proto/gen/audit_log.ts';
import { type Environment, foreignCursor, invalid, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { type AuditRecordRow, pageOfRecords } from './table/record.ts';

const LIMIT_DEFAULT = 20;
const RECORD_SEPARATOR = ':';

const shown = (row: AuditRecordRow, environment: Environment): AuditRecord => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  environment,
  actor: { kind: row.actor_kind, id: row.actor, name: row.actor_name },
  operation: row.operation,
  endpoint: row.endpoint,
  resource: { type: row.resource, id: row.resource_id },
  ...(JSON.parse(row.change) as Pick<AuditRecord, 'before' | 'after' | 'shortened'>),
  address: row.address,
  request_id: row.request_id,
});

/** Reads `product` or `product:<id>`. */
const readResource = (text: string | undefined): { resource: string | null; resourceId: string | null } => {
  if (text === undefined) return { resource: null, resourceId: null };
  const at = text.indexOf(RECORD_SEPARATOR);
  return at < 0
    ? { resource: text, resourceId: null }
    : { resource: text.slice(0, at), resourceId: text.slice(at + RECORD_SEPARATOR.length) };
};

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const auditHandlers: Handlers<AuditLogRpcs> = {
  ListAuditLog: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor, actor, resource, from, to }) => {
    const period = { from: timeOf(from), to: timeOf(to) };
    if (period.from && period.to && period.from >= period.to)
      return invalid('to', `\`to\` must be after \`from\`, which is ${period.from.toISOString()}.`);
    const scope = JSON.stringify(['audit_log', tenantKey(tenant), actor, resource, period]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    const filter = { actor: actor ?? null, ...readResource(resource), ...period, after };
    const page = await pageOfRecords(sql, tenant, filter, limit + 1);
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      audit_log: rows.map((row) => shown(row, tenant.environment)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),
};
