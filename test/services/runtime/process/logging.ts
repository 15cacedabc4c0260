// A process that logs more than may wait, and then says on standard output that it is still there.
import { createLog } from '#runtime/process/log.ts';

const log = createLog({ name: 'test' });
for (let at = 0; at < 2_000; at++) log.info({ text: 'x'.repeat(1_000) }, 'a line');
await Bun.sleep(50);
log.info('another');
process.stdout.write('alive');
