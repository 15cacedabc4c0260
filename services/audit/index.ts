// The audit domain: shows the log of writes, which the runtime fills, and deletes old records.
import type { Domain } from '#runtime/domain/rpc.ts';
import { auditHandlers } from './rpc.ts';
import { auditErasures } from './table/erasure.ts';
import { deleteOldRecords } from './table/record.ts';

const RETENTION_DAYS = 400;

export const audit = (): Domain => ({
  name: 'audit',
  services: { AuditLog: auditHandlers },
  retention: [{ what: 'audit records', days: RETENTION_DAYS, setting: 'audit_days', forget: deleteOldRecords }],
  erasures: auditErasures,
  reset: { tables: { 'runtime.audit': 'cleared' } },
});
