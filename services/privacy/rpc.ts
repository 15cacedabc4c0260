// The handlers of exports and erasures.
import { randomUUIDv7 } from 'bun';
import type { CustomerErasure, CustomerExport, PrivacyRpcs } from '#proto/gen/privacy.ts';
import { type Call, notFound } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { endForErasure, isOpenCustomer } from '#services/customer/transaction.ts';
import { ERASURE_JOB } from './erasure.ts';
import { EXPORT_JOB, openArchive } from './export.ts';
import { type ErasureRecord, findErasure, startErasure } from './table/erasure.ts';
import { type ExportRecord, exportOf, findExport, startExport } from './table/export.ts';

const EXPORT_RETENTION_MS = 7 * 86_400_000;

const exportDocument = (record: ExportRecord): CustomerExport => ({
  id: record.id,
  customer_id: record.customer,
  status: record.completed_at === null ? 'running' : 'complete',
  path: `/v1/customers/${record.customer}/exports/${record.id}`,
  created_at: record.created_at.toISOString(),
  expires_at: record.expires_at.toISOString(),
});

const erasureDocument = ({ id, reason, requested_at, completed_at }: ErasureRecord): CustomerErasure => ({
  customer_id: id,
  status: completed_at === null ? 'running' : 'complete',
  reason,
  requested_at: requested_at.toISOString(),
  completed_at: completed_at?.toISOString() ?? null,
});

/** A shopper's session reaches the shopper's own exports alone. */
const isOther = ({ customer }: Call, id: string): boolean => customer !== null && customer !== id;

export const privacyHandlers = ({
  clock,
  jobs,
  notices,
  seal,
}: Pick<Runtime, 'clock' | 'jobs' | 'notices' | 'seal'>): Handlers<PrivacyRpcs> => ({
  ExportCustomer: transaction(async (tx, call, input) => {
    const { tenant } = call;
    const customer = input.id.toLowerCase();
    if (isOther(call, customer) || !(await isOpenCustomer(tx, tenant, customer))) return notFound('customer');
    const createdAt = clock.now(tenant);
    const real = clock.real();
    const made = {
      id: randomUUIDv7(),
      customer,
      created_at: createdAt,
      completed_at: null,
      expires_at: new Date(real + EXPORT_RETENTION_MS),
    };
    const started = await startExport(tx.sql, tenant, made, new Date(real));
    tx.afterCommit(() => jobs.wake(EXPORT_JOB));
    return { export: exportDocument(started ?? (await exportOf(tx.sql, tenant, customer)) ?? made) };
  }),

  GetCustomerExport: query(async (sql, call, input) => {
    const { tenant } = call;
    const customer = input.id.toLowerCase();
    const found = isOther(call, customer) ? null : await findExport(sql, tenant, customer, input.export_id);
    if (found === null || found.expires_at.getTime() <= clock.real()) return notFound('export', 'export_id');
    const { archive } = found;
    const shown = exportDocument(found);
    return { export: archive ? { ...shown, archive: await openArchive(seal, tenant, found.id, archive) } : shown };
  }),

  EraseCustomer: transaction(async (tx, { tenant }, { id: given, reason }) => {
    const id = given.toLowerCase();
    const emails = await endForErasure(tx, notices, tenant, id);
    if (emails === null && (await findErasure(tx.sql, tenant, id)) === null) return notFound('customer');
    const requestedAt = clock.now(tenant);
    const dueAt = new Date(clock.real());
    const record = await startErasure(tx.sql, tenant, { id, reason, emails: emails ?? [], requestedAt, dueAt });
    tx.afterCommit(() => jobs.wake(ERASURE_JOB));
    return { erasure: erasureDocument(record) };
  }),

  GetCustomerErasure: query(async (sql, { tenant }, { id }) => {
    const found = await findErasure(sql, tenant, id.toLowerCase());
    return found === null ? notFound('erasure') : { erasure: erasureDocument(found) };
  }),
});
