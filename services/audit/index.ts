// The audit domain: shows the log of writes, which the runtime fills, and deletes old records.
import type { Domain } from '#runtime/domain/rpc.ts';
import { auditHandlers } from './rpc.ts';
import { deleteOldRecords } from './table/record.ts';

const RETENTION_DAYS = 400;

export const audit = (): Domain => ({
  name: 'audit',
  services: { AuditLog: auditHandlers },
  retention: [{ what: 'audit records', days: RETENTION_DAYS, forget: deleteOldRecords }],
  reset: { tables: { 'runtime.audit': 'cleared' } },
});
