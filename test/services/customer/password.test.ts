// Passwords and the queue in which they are hashed: two at once, the rest in order, and no more than can be served.
import { afterAll, describe, expect, test } from 'vitest';
import { Unavailable } from '#runtime/fault.ts';
import { COMMANDS, openHasher } from '#services/customer/hasher.ts';
import { BUSY, openPasswords, Queue } from '#services/customer/password.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue', () => {
  test('runs two at once, the others in the order they came', async () => {
    const queue = new Queue(2, 10);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((name) =>
      queue.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    );
    await turn();
    expect([begun, queue.waiting]).toEqual([[0, 1], 2]);
    ends[1]!();
    await turn();
    expect([begun, queue.waiting]).toEqual([[0, 1, 2], 1]);
    for (const end of [0, 2]) ends[end]!();
    await turn();
    ends[3]!();
    expect(await Promise.all(works)).toEqual([0, 1, 2, 3]);
  });

  test('refuses at once what it could not serve, and goes on when there is room again', async () => {
    const queue = new Queue(1, 1);
    let end = (): void => {};
    const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    const second = queue.run(async () => 'second');
    expect([queue.isFull, await queue.run(async () => 'third')]).toEqual([true, BUSY]);
    end();
    await first;
    expect(await second).toBe('second');
    expect(await queue.run(async () => 'fourth')).toBe('fourth');
  });

  test('does no work that nobody waits for any more', async () => {
    const queue = new Queue(1, 5, 0);
    let end = (): void => {};
    const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    let begun = false;
    const late = queue.run(async () => {
      begun = true;
    });
    await turn();
    end();
    await first;
    expect(await late).toBe(BUSY);
    expect([begun, await queue.run(async () => 'next')]).toEqual([false, 'next']);
  });

  test('gives the place of a work that failed to the next', async () => {
    const queue = new Queue(1, 5);
    const failing = queue.run(async () => {
      throw new Error('broken');
    });
    const next = queue.run(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});

describe('a password', () => {
  const hasher = openHasher(2);
  afterAll(() => hasher.close());
  const passwords = openPasswords(new Queue(2, 10), hasher);
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

  test('of nobody is verified with as much work as somebody’s', async () => {
    const work: string[] = [];
    const counted = openPasswords(new Queue(2, 10), {
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
    const other = openHasher(1, { ...COMMANDS, idle: deaf }, 10);
    try {
      const hash = await other.hash('correct horse');
      expect(await other.verify('correct horse', hash)).toBe(true);
    } finally {
      other.close();
    }
  });

  test('is hashed by nobody once the processes are ended', async () => {
    const other = openHasher(1);
    await other.hash('correct horse');
    const running = other.hash('correct horse');
    other.close();
    await expect(running).rejects.toThrow(Unavailable);
    await expect(other.hash('correct horse')).rejects.toThrow(Unavailable);
  });
});
