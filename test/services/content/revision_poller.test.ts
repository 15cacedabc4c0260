// Polling finds content revisions whose notice was lost.
import { beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { RevisionPoller } from '#services/content/revision_poller.ts';
import { currentRevision, raiseRevision } from '#services/content/table/revision.ts';
import { someTenant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('publishes a missed revision once, for tenants read here only', async () => {
  const { postgres, log } = stoa.services.runtime;
  const published: Notice[] = [];
  const notices = {
    publish: (notice: Notice) => published.push(notice),
    listen: () => () => {},
    pollWhileDisconnected: () => () => {},
  };
  const poller = new RevisionPoller({ postgres, clock: stoa.services.runtime.clock, log, notices: notices as never });
  const [read, unread, quiet] = [someTenant(), someTenant('sandbox'), someTenant()] as [Tenant, Tenant, Tenant];
  for (const tenant of [read, unread]) await raiseRevision(postgres.sql, tenant);
  poller.noteRevision(read, await currentRevision(postgres.sql, read));
  poller.noteRevision(quiet, 0);
  await poller.poll();
  expect(published).toEqual([]);
  for (const tenant of [read, unread]) await raiseRevision(postgres.sql, tenant);
  await poller.poll();
  await poller.poll();
  expect(published).toEqual([{ kind: 'content', tenant: read, revision: 2, ids: null }]);
  await raiseRevision(postgres.sql, quiet);
  poller.noteRevision(read, 7);
  await poller.poll();
  expect(published.slice(1)).toEqual([{ kind: 'content', tenant: quiet, revision: 1, ids: null }]);
});
