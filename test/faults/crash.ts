// A process that dies at a place of a test's choosing, by a request that is made again until it is answered.
import { expect } from 'vitest';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';
import type { Member } from './cluster.ts';

export interface CrashPoint {
  readonly member: Member;
  readonly place: Failpoint;
  readonly shop: Pick<Keys, 'store_id'>;
}

const arm = ({ member, place, shop: { store_id } }: CrashPoint): void => member.arm({ place, store_id });

/** Has the process killed at this place, by this request. */
export const crash = async (death: CrashPoint, request: () => Promise<Reply>): Promise<void> => {
  const { member, place } = death;
  arm(death);
  // The host is asked when it is up, which the edge sees a moment later.
  await eventually(async () => {
    const lost = await request().catch(() => null);
    expect(member.alive, `${lost?.status} ${lost?.text}`).toBe(false);
    // The caller is not told that it was done, unless it was.
    if (place !== 'publish' && lost) expect([500, 503]).toContain(lost.status);
  }, 60_000);
  member.arm(null);
};

/** Dies, restarts with the next failpoint, and repeats the request until there is an answer. */
export const crashAndRetry = async (
  death: CrashPoint,
  request: () => Promise<Reply>,
  next?: CrashPoint,
): Promise<Reply> => {
  await crash(death, request);
  if (next) arm(next);
  await death.member.start();
  return retryUntilAnswered(request);
};

/** Asks until there is an answer. */
export const retryUntilAnswered = (request: () => Promise<Reply>): Promise<Reply> =>
  eventually(async () => {
    const reply = await request();
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  }, 60_000);
