// Runs around each file of tests: files share a process, and none leaves the environment's variables other than they were.
import fc from 'fast-check';
import { afterAll } from 'vitest';

/** What is drawn at random is the same in every run, so that none fails that cannot be repeated; STOA_SEED draws anew. */
fc.configureGlobal({ seed: Number(process.env.STOA_SEED ?? 20_261_122) });

const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
