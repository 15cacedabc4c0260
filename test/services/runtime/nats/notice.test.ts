// Publishes notices to local listeners at once and to other hosts over the bus.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '#runtime/nats/bus.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices, dispatchNotices, type Notice } from '#runtime/nats/notice.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshNamespace, serverUrls, testLog } from '#test/support/server.ts';

const notice = (revision: number, ids: readonly string[] | null = ['p1']): Notice => ({
  kind: 'catalog',
  tenant: { store: 's1', environment: 'sandbox' },
  revision,
  ids,
});

let namespace: string;
let proxy: TestProxy;
let here: ReturnType<typeof createNotices>;
let there: ReturnType<typeof createNotices>;
let bus: Bus;
const buses: Bus[] = [];

const connect = async (url: string): Promise<Bus> => {
  const made = connectBus({ url, name: 'notice-test', log: testLog() });
  buses.push(made);
  await eventually(() => expect(made.connected).toBe(true));
  return made;
};

beforeEach(async () => {
  namespace = freshNamespace();
  proxy = await startProxy(serverUrls().nats);
  bus = await connect(serverUrls().nats);
  here = createNotices({ bus, namespace, log: testLog(), others: () => 1 });
  there = createNotices({ bus: await connect(proxy.url), namespace, log: testLog() });
});
afterEach(async () => {
  here.close();
  there.close();
  for (const made of buses.splice(0)) await made.close();
  await proxy.close();
});

/** Until a notice of one's own passes, the other side's subscription may not stand yet. */
const receivedBy = (notices: typeof here): Notice[] => {
  const received: Notice[] = [];
  notices.listen((each) => {
    if (each.kind === 'catalog') received.push(each);
  });
  return received;
};

test('delivers locally before publishing returns, and remotely soon after, once each', async () => {
  const [near, far] = [receivedBy(here), receivedBy(there)];
  await eventually(() => {
    here.publish(notice(0));
    return eventually(() => expect(far).not.toHaveLength(0), 200);
  });
  // On a busy machine more than one was sent to find out, and the last of them is still on its way.
  const withoutProbes = (all: readonly Notice[]): Notice[] => all.filter(({ revision }) => revision > 0);
  here.publish(notice(7, ['p1', 'p2']));
  expect(withoutProbes(near)).toEqual([notice(7, ['p1', 'p2'])]);
  here.publish(notice(8, null));
  await eventually(() => expect(withoutProbes(far)).toEqual([notice(7, ['p1', 'p2']), notice(8, null)]));
  expect(withoutProbes(near)).toHaveLength(2);
});

describe('one that is to be heard', () => {
  const EVER_MS = 20_000;
  const store: Notice = { kind: 'store', tenant: { store: 's1', environment: 'production' }, revision: 0, ids: [] };
  /** Both hear one another. */
  const met = async (): Promise<Notice[]> => {
    const far: Notice[] = [];
    there.listen((each) => void far.push(each));
    await eventually(() => {
      here.publish(notice(0));
      return eventually(() => expect(far).not.toHaveLength(0), 200);
    });
    return far;
  };

  test('waits until the other host has acknowledged', async () => {
    const far = await met();
    proxy.freeze();
    let acknowledged = false;
    const waiting = here.publishAcknowledged(store, EVER_MS).then(() => {
      acknowledged = true;
    });
    await Bun.sleep(100);
    expect([acknowledged, far.some(({ kind }) => kind === 'store')]).toEqual([false, false]);
    proxy.thaw();
    await waiting;
    expect(far.at(-1)).toEqual(store);
  });

  test('waits no longer than the given time', async () => {
    await met();
    proxy.freeze();
    await here.publishAcknowledged(store, 50);
    proxy.thaw();
  });

  test('delivers locally before it waits for acknowledgements', async () => {
    const near: Notice[] = [];
    here.listen((each) => void near.push(each));
    const waiting = here.publishAcknowledged(store, 50);
    expect(near).toEqual([store]);
    await waiting;
  });
});

test('replaces a long list of ids by null', async () => {
  const far = receivedBy(there);
  const many = Array.from({ length: 5_000 }, (_, at) => `p${at}`);
  await eventually(() => {
    here.publish(notice(1, many));
    return eventually(() => expect(far[0]).toEqual(notice(1, null)), 200);
  });
});

test('delivers to other listeners when one fails, and not to stopped ones', () => {
  const stop = here.listen(() => {
    throw new Error('broken');
  });
  const received = receivedBy(here);
  here.publish(notice(1));
  stop();
  here.publish(notice(2));
  expect(received.map(({ revision }) => revision)).toEqual([1, 2]);
});

test('defaults to revision 0 and no ids', () => {
  const near: Notice[] = [];
  here.listen((each) => void near.push(each));
  here.publish({ kind: 'clock', tenant: { store: 's1', environment: 'sandbox' } });
  expect(near).toEqual([{ kind: 'clock', tenant: { store: 's1', environment: 'sandbox' }, revision: 0, ids: [] }]);
});

test('ignores a malformed notice', async () => {
  const far = receivedBy(there);
  await eventually(() => {
    here.publish(notice(1));
    return eventually(() => expect(far).not.toHaveLength(0), 200);
  });
  for (const text of ['', '{', '[]', 'null', '{"store":1}', '{"store":"s","environment":"moon","revision":1}'])
    bus.publish(`${namespace}.notice`, Buffer.from(text));
  here.publish(notice(2));
  await eventually(() => expect(far.filter((each) => each.revision !== 1)).toEqual([notice(2)]));
});

describe('while the bus is away', () => {
  test('a keeper of copies looks for itself, and once more when the bus is back', async () => {
    let looks = 0;
    const stop = there.pollWhileDisconnected(() => {
      looks++;
      throw new Error('looking may fail');
    });
    const { port } = proxy;
    await proxy.close();
    await eventually(() => expect(looks).toBeGreaterThan(1));
    const far = receivedBy(there);
    there.publish(notice(3));
    expect(far).toEqual([notice(3)]);
    proxy = await startProxy(serverUrls().nats, port);
    const before = looks;
    await eventually(() => expect(looks).toBeGreaterThan(before));
    stop();
  });
});

test('passes a notice to the handlers of its kind in order, whatever fails among them', async () => {
  const called: string[] = [];
  const handler = (name: string) => (each: Notice) => void called.push(`${name} ${each.kind} ${each.revision}`);
  const dispatch = dispatchNotices(
    [
      { onNotice: { catalog: handler('a'), store: handler('a') } },
      {
        onNotice: {
          catalog: () => {
            throw new Error('failed at once');
          },
        },
      },
      { onNotice: { catalog: async () => Promise.reject(new Error('failed later')) } },
      {},
      { onNotice: { store: handler('b') } },
      { onNotice: { catalog: handler('c') } },
    ],
    testLog(),
  );
  dispatch(notice(7));
  expect(called).toEqual(['a catalog 7', 'c catalog 7']);
  dispatch({ ...notice(8), kind: 'store' });
  dispatch({ ...notice(9), kind: 'shipping' });
  expect(called.slice(2)).toEqual(['a store 8', 'b store 8']);
});
