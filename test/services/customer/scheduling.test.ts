// What the kernel knows of a thread that hashes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stay } from '#services/customer/scheduling.ts';

const cores = (): string | undefined =>
  /^Cpus_allowed_list:\t(.+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1];

test.skipIf(process.platform !== 'linux')('a thread stays on one core while it hashes, and goes anywhere after', () => {
  const anywhere = cores();
  expect(stay(cores)).toMatch(/^\d+$/);
  expect(cores()).toBe(anywhere);
  expect(() =>
    stay(() => {
      throw new Error('It cannot be hashed.');
    }),
  ).toThrow('It cannot be hashed.');
  expect(cores()).toBe(anywhere);
});
