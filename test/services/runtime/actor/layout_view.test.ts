// The view of the layout: read after each commit, and read again where a read failed.
import { expect, test, vi } from 'vitest';
import { Layout } from '#runtime/actor/layout.ts';
import { LayoutView } from '#runtime/actor/layout_view.ts';
import { testLog } from '#test/support/server.ts';

const layoutOf = (epoch: number): Layout => new Layout({ epoch, partitions: 4, previous: null, sealed: [] });

test('reads again after a failed read, though no further commit follows', async () => {
  let commit = (): void => {};
  const retries: (() => void)[] = [];
  const read = vi.fn<() => Promise<Layout>>().mockRejectedValueOnce(new Error('no connection'));
  read.mockResolvedValue(layoutOf(2));
  const view = new LayoutView({
    layout: layoutOf(1),
    layouts: { read, seal: async () => false, reindex: async () => false },
    commits: {
      listen: (listener) => {
        commit = listener;
        return () => {};
      },
    },
    timers: {
      after: (_ms, run) => {
        retries.push(run);
        return () => {};
      },
    },
    log: testLog(),
  });
  const changed = vi.fn();
  view.start(changed);
  commit();
  await vi.waitFor(() => expect(retries).toHaveLength(1));
  expect(view.current.epoch).toBe(1);
  retries[0]!();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  expect(view.current.epoch).toBe(2);
  view.stop();
});
