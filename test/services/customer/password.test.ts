// Passwords: hashed as they should be, by processes that are not lost for one that fails.
import { afterAll, describe, expect, test } from 'vitest';
import { refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { commandsOf, openHasher } from '#services/customer/hasher.ts';
import { openPasswords } from '#services/customer/password.ts';

const twoAtOnce = (): AdmissionQueue =>
  new AdmissionQueue({
    runningMax: 2,
    waitingMax: 10,
    waitMsMax: 8_000,
    refusal: refuse('service_unavailable', 'Full.'),
  });

describe('a password', () => {
  const hasher = openHasher(2, 0);
  afterAll(() => hasher.close());
  const passwords = openPasswords(0, twoAtOnce(), hasher);
  const hashOf = async (password: string): Promise<string> => (await passwords.hash(password)) as string;

  test('is hashed with Argon2id, 19 MiB, two passes, a salt of its own', async () => {
    const [first, second] = [await hashOf('correct horse'), await hashOf('correct horse')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify('correct horse', first)).toBe(true);
    expect(await passwords.verify('Correct horse', first)).toBe(false);
  });

  test('is the same with its marks apart', async () => {
    expect(await passwords.verify('cafe\u0301 noir', await hashOf('caf\u00e9 noir'))).toBe(true);
  });

  test('of no account is verified with as much work as an account’s', async () => {
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

  test('that cannot be hashed is a fault, and the processes go on', async () => {
    await expect(hasher.verify('correct horse', 'no hash at all')).rejects.toThrow();
    expect(await passwords.verify('correct horse', await hashOf('correct horse'))).toBe(true);
  });

  test('that nothing is spared for is hashed all the same, and so is the next one', async () => {
    const deaf = [process.execPath, '-e', "process.on('message', () => {}); process.send('ready');"];
    const other = openHasher(1, 10, { ...commandsOf(10), idle: deaf });
    try {
      const hash = await other.hash('correct horse');
      expect(await other.verify('correct horse', hash)).toBe(true);
    } finally {
      other.close();
    }
  });

  test('is hashed no more once the processes are ended', async () => {
    const other = openHasher(1, 0);
    await other.hash('correct horse');
    const running = other.hash('correct horse');
    other.close();
    await expect(running).rejects.toThrow(Unavailable);
    await expect(other.hash('correct horse')).rejects.toThrow(Unavailable);
  });
});
