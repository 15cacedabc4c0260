// Child process of drain.test.ts: prints its progress on standard output and runs the kind of work named in its argument.
import { drainOnSignal } from '#runtime/process/drain.ts';
import { createLog } from '#runtime/process/log.ts';

const kind = process.argv[2];
const alive = setInterval(() => {}, 1_000);

drainOnSignal({
  log: createLog({ name: 'draining', level: 'silent' }),
  notice: {
    seconds: kind === 'patient' ? 600 : 0,
    tell: () => process.stdout.write('about to end\n'),
  },
  limitMs: kind === 'stuck' ? 100 : 20_000,
  steps: [
    {
      name: kind ?? '',
      run: async () => {
        process.stdout.write('draining\n');
        if (kind !== 'quick') await new Promise(() => {});
        clearInterval(alive);
        process.stdout.write('done\n');
      },
    },
  ],
});
process.stdout.write('ready\n');
