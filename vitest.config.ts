// How the tests run: real Postgres and NATS, started once for all of them.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Much of the time is waiting, for servers and processes that start: three keep two cores busy.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/global.ts'],
  },
});
