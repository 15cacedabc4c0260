// Passwords: hashed as they should be, by processes that are not lost for one that fails.
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { openHasher } from '#services/commerce/hasher.ts';
import { openPasswords } from '#services/commerce/password.ts';

/** Processes that this one has started, as Linux knows them: a list for each thread. */
const children = (): number[] =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const twoAtOnce = (): AdmissionQueue =>
  new AdmissionQueue({
    runningMax: 2,
    waitingMax: 10,
    waitMsMax: 8_000,
    refusal: refuse('service_unavailable', 'Full.'),
  });

describe('a password', () => {
  const hasher = openHasher(0);
  afterAll(() => hasher.close());
  const passwords = openPasswords(0, twoAtOnce(), hasher);
  const hashOf = async (password: string): Promise<string> => (await passwords.hash(password)) as string;

  test('hashes with Argon2id, 19 MiB, two passes and a salt of its own', async () => {
    const [first, second] = [await hashOf('correct horse'), await hashOf('correct horse')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify('correct horse', first)).toBe(true);
    expect(await passwords.verify('Correct horse', first)).toBe(false);
  });

  test('accepts accents in composed and decomposed form', async () => {
    expect(await passwords.verify('cafe\u0301 noir', await hashOf('caf\u00e9 noir'))).toBe(true);
  });

  test('verifies without an account with as much work as with one', async () => {
    const work: string[] = [];
    const counted = openPasswords(0, twoAtOnce(), {
      hash: async () => `hash ${work.push('hash')}`,
      verify: async () => work.push('verify') > 0,
      close: () => {},
    });
    expect(await counted.verify('correct horse', null)).toBe(false);
    const before = work.length;
    expect(await counted.verify('correct horse', null)).toBe(false);
    const forNobody = work.slice(before);
    expect(await counted.verify('correct horse', 'known')).toBe(true);
    expect(work.slice(before + forNobody.length)).toEqual(forNobody);
  });

  test('throws for a password that cannot be hashed, and hashes the next one', async () => {
    await expect(hasher.verify('correct horse', 'no hash at all')).rejects.toThrow();
    expect(await passwords.verify('correct horse', await hashOf('correct horse'))).toBe(true);
  });

  test.skipIf(process.platform !== 'linux')(
    'is hashed by a process that is nicer than this one by as much as was asked for',
    async () => {
      const before = children();
      const other = openHasher(7);
      try {
        await other.hash('correct horse');
        const started = children().filter((pid) => !before.includes(pid));
        expect(started.map((pid) => getPriority(pid))).toEqual([getPriority() + 7]);
      } finally {
        other.close();
      }
    },
  );

  test('hashes nothing once the processes are ended', async () => {
    const other = openHasher(0);
    await other.hash('correct horse');
    const running = other.hash('correct horse');
    other.close();
    await expect(running).rejects.toThrow(Unavailable);
    await expect(other.hash('correct horse')).rejects.toThrow(Unavailable);
  });
});
