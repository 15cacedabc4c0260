// A parent for a test to kill: starts one child, says both process ids, and waits.
import { startChild } from '#services/cli/local/child.ts';

const child = startChild({ command: 'sleep', args: ['600'], logFile: null, deathSignal: 'SIGTERM' });
process.stdout.write(`${child.pid}\n`);
setInterval(() => {}, 1000);
