// Exports: a job collects a customer's archive, which is stored sealed until it expires.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { JobRow } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { collectArchive } from './archive.ts';
import { completeExport, deleteExport, EXPORT_JOBS } from './table/export.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const contextOf = (tenant: Tenant, id: string): string => `privacy export ${tenantKey(tenant, id)}`;

export const SEALED: SealedColumn = { table: 'privacy.export', column: 'archive', id: 'id', context: contextOf };

export const openArchive = async (
  seal: Seal,
  tenant: Tenant,
  id: string,
  sealed: Uint8Array,
): Promise<Record<string, unknown>> =>
  JSON.parse((await decompress(seal.openBytes(sealed, contextOf(tenant, id)))).toString());

interface ExportJob extends JobRow {
  readonly id: string;
  readonly customer: string;
}

const LEASE_MS = 10_000;
const RETRY_MS = [1_000, 5_000, 15_000, 60_000] as const;

export const EXPORT_JOB = 'privacy_export';

export const exportJob = (runtime: Pick<Runtime, 'ask' | 'postgres' | 'seal' | 'clock'>): DeclaredJob =>
  job<ExportJob>({
    name: EXPORT_JOB,
    rows: EXPORT_JOBS,
    clock: 'real',
    leaseMs: LEASE_MS,
    atOnce: 4,
    perTenant: 2,
    retryMs: RETRY_MS,
    run: async ({ store, environment, id, customer }) => {
      const { postgres, seal, clock } = runtime;
      const tenant = { store, environment };
      const archive = await collectArchive(runtime, tenant, customer);
      if (archive === null) {
        await deleteExport(postgres.sql, tenant, customer);
        return 'ended';
      }
      const sealed = seal.close(await compress(Buffer.from(JSON.stringify(archive))), contextOf(tenant, id));
      await completeExport(postgres.sql, tenant, id, sealed, clock.now(tenant));
      return 'ended';
    },
  });
