// How the tests run: real Postgres and NATS, started once for all of them.
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SLOW_TESTS } from './test/support/slow.ts';

const ALL = ['test/**/*.test.ts'];
/** A path on the command line runs whatever lies there, quick or slow. */
const namesPath = process.argv.slice(2).some((word) => !word.startsWith('-') && word !== 'run' && word !== 'watch');
const chosen =
  process.env.STOA_SUITE === 'slow'
    ? { include: [...SLOW_TESTS] }
    : { include: ALL, exclude: namesPath ? [] : [...SLOW_TESTS] };

/** What takes longest, the longest first: begun before all else, so that nothing long is left alone at the end. */
const LONG = [
  /test\/journeys\/(recipe|guide)\./,
  /test\/services\/cli\/(start|backup_command|import_command|installation)\./,
  /test\/faults\//,
  /test\/contracts\/(idempotency|hostile_input)\./,
  /test\/journeys\/(assistant|assistant_race|checkout_cost|group_history)\./,
  /test\/(bench\/command|proto\/generate\/main)\./,
  /test\/services\/customer\/(login_failure|rpc|challenge)\./,
  /test\/services\/cli\/(client_command|listen|demo\/seed)\./,
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const turn = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((pattern) => pattern.test(moduleId));
      return at < 0 ? LONG.length : at;
    };
    return sorted.toSorted((one, other) => turn(one) - turn(other));
  }
}

export default defineConfig({
  test: {
    ...chosen,
    pool: 'forks',
    // Much of the time is waiting, for servers and processes that start: four keep two cores busy.
    maxWorkers: 4,
    // A worker takes one file after the other: to load the house anew for each would be a third of the whole run.
    isolate: false,
    // Bun reads TypeScript itself, so what is tested is loaded as it is in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongFilesFirst },
    // Bounds for what hangs, not for what is slow: nothing here is proved by its time.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/global.ts'],
    setupFiles: ['test/support/environment.ts'],
  },
});
