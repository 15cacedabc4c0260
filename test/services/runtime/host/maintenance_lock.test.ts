// Callers of a sandbox wait at its host while it is closed; no other caller notices.
import { describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { MaintenanceLock } from '#runtime/host/maintenance_lock.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import { NO_BYTES } from '#runtime/link/frame.ts';
import { Cancellation } from '#runtime/link/server.ts';

const SANDBOX: Tenant = { store: 'a', environment: 'sandbox' };
const ANSWER: Answer = { body: NO_BYTES, dependsOn: [], replayed: false, refused: null };
const askOf = (rpc: string, tenant = SANDBOX): Ask =>
  ({ rpc, caller: { tenant, keyType: 'secret', keyId: '', customer: null } }) as unknown as Ask;

const open = () => {
  const lock = new MaintenanceLock();
  const dispatched: string[] = [];
  const ends: (() => void)[] = [];
  const host = lock.guard({
    hello: () => ({ services: [], draining: false }),
    dispatch: ({ rpc }) => {
      dispatched.push(rpc);
      return rpc.startsWith('Quick/') ? ANSWER : new Promise((done) => ends.push(() => done(ANSWER)));
    },
  });
  return { lock, dispatched, ends, call: (ask: Ask) => host.dispatch(ask, new Cancellation()) };
};

describe('a closed sandbox', () => {
  test('waits for running calls, and admits waiting ones on reopening', async () => {
    const { lock, dispatched, ends, call } = open();
    void call(askOf('Own/Reset'));
    const before = call(askOf('Slow/Write'));
    let closed = false;
    const closing = lock.close(SANDBOX, 5_000).then((reopen) => {
      closed = true;
      return reopen;
    });
    await Promise.resolve();
    expect(closed).toBe(false);
    ends[1]!();
    await before;
    const reopen = await closing;
    const waits = call(askOf('Quick/Write'));
    expect(dispatched).not.toContain('Quick/Write');
    reopen();
    expect(await waits).toBe(ANSWER);
    expect(dispatched).toContain('Quick/Write');
  });

  test('admits production, other stores and internal calls', async () => {
    const { lock, dispatched, call } = open();
    const reopen = await lock.close(SANDBOX, 5_000);
    call(askOf('Quick/Production', { store: 'a', environment: 'production' }));
    call(askOf('Quick/Other', { store: 'b', environment: 'sandbox' }));
    void call(askOf('ActorHost/Tell'));
    expect(dispatched).toEqual(['Quick/Production', 'Quick/Other', 'ActorHost/Tell']);
    reopen();
  });

  test('does not wait for ever', async () => {
    const { lock, dispatched, call } = open();
    void call(askOf('Own/Reset'));
    void call(askOf('Slow/Write'));
    await expect(lock.close(SANDBOX, 1)).rejects.toThrow('still running');
    // And is open again.
    call(askOf('Quick/Write'));
    expect(dispatched).toContain('Quick/Write');
  });
});
