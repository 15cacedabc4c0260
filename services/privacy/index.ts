// The privacy domain: exports of a person's data, and erasures, which reach every domain of the host.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { erasureJob } from './erasure.ts';
import { exportJob, SEALED } from './export.ts';
import { privacyHandlers } from './rpc.ts';
import { deleteOldExports } from './table/export.ts';
import { runtimeErasures } from './trace.ts';

export const privacy = (runtime: Runtime): Domain => ({
  name: 'privacy',
  services: { Privacy: privacyHandlers(runtime) },
  jobs: [exportJob(runtime), erasureJob(runtime)],
  erasures: runtimeErasures,
  retention: [{ what: 'exports that expired', days: 0, forget: deleteOldExports }],
  sealedColumns: [SEALED],
  reset: { tables: { 'privacy.export': 'cleared', 'privacy.erasure': 'cleared' } },
});
