// Restores the environment variables after each test file, because test files share a process.
import fc from 'fast-check';
import { afterAll } from 'vitest';

/** Random values are the same in every run, so that each failure can be repeated; STOA_SEED draws new ones. */
fc.configureGlobal({ seed: Number(process.env.STOA_SEED ?? 20_261_122) });

const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
