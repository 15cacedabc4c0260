// Runs errands in a separate process, under a short lease. Errands named "twice" end at the second attempt.
import { openJobRunner } from '#runtime/job/runner.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { watchFailpoint } from '#runtime/process/failpoint.ts';
import { openPostgres, testLog } from '#test/support/server.ts';
import { errands, walk } from './errand.ts';

const [, , databaseUrl, failpoint] = process.argv;
watchFailpoint(failpoint!);
const postgres = openPostgres(databaseUrl!);
const kind = errands(async (row) => (row.id === 'twice' && row.attempts === 1 ? 'again' : walk(postgres, row)), {
  leaseMs: 1_000,
  retryMs: [0],
});
openJobRunner({ postgres, clock: systemClock(), log: testLog() }).start([kind]);
setInterval(() => {}, 60_000);
