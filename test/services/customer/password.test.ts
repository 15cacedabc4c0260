// Passwords and the queue in which they are hashed: two at once, the rest in order, and no more than can be served.
import { describe, expect, test } from 'vitest';
import { Unavailable } from '#runtime/fault.ts';
import { openPasswords, Queue } from '#services/customer/password.ts';

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
    await expect(queue.run(async () => 'third')).rejects.toThrow(Unavailable);
    end();
    await first;
    expect(await second).toBe('second');
    expect(await queue.run(async () => 'fourth')).toBe('fourth');
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
  class CountingQueue extends Queue {
    count = 0;
    override run<T>(work: () => Promise<T>): Promise<T> {
      this.count++;
      return super.run(work);
    }
  }

  test('is hashed with Argon2id, 19 MiB, two passes, a salt of its own', async () => {
    const passwords = openPasswords();
    const [first, second] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify('correct horse', first)).toBe(true);
    expect(await passwords.verify('Correct horse', first)).toBe(false);
  });

  test('is the same with its marks apart', async () => {
    const passwords = openPasswords();
    expect(await passwords.verify('cafe\u0301 noir', await passwords.hash('caf\u00e9 noir'))).toBe(true);
  });

  test('of nobody is verified with as much work as somebody’s', async () => {
    const queue = new CountingQueue(2, 10);
    const passwords = openPasswords(queue);
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify('correct horse', null)).toBe(false);
    const before = queue.count;
    expect(await passwords.verify('correct horse', null)).toBe(false);
    const forNobody = queue.count - before;
    await passwords.verify('correct horse', hash);
    expect(queue.count - before - forNobody).toBe(forNobody);
  });
});
