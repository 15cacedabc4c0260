// What is kept of content though the notice of its change was lost is found by looking.
import { beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { currentRevision, raiseRevision } from '#services/content/table/revision.ts';
import { Watch } from '#services/content/watch.ts';
import { someTenant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('a revision that was not told of is told of once, of tenants whose content is read here', async () => {
  const { postgres, log } = stoa.services.runtime;
  const told: Notice[] = [];
  const notices = {
    publish: (notice: Notice) => told.push(notice),
    listen: () => () => {},
    pollWhileDisconnected: () => () => {},
  };
  const watch = new Watch({ postgres, log, notices: notices as never });
  const [read, unread, quiet] = [someTenant(), someTenant('sandbox'), someTenant()] as [Tenant, Tenant, Tenant];
  for (const tenant of [read, unread]) await raiseRevision(postgres.sql, tenant);
  watch.saw(read, await currentRevision(postgres.sql, read));
  watch.saw(quiet, 0);
  await watch.look();
  expect(told).toEqual([]);
  for (const tenant of [read, unread]) await raiseRevision(postgres.sql, tenant);
  await watch.look();
  await watch.look();
  expect(told).toEqual([{ kind: 'content', tenant: read, revision: 2, ids: null }]);
  await raiseRevision(postgres.sql, quiet);
  watch.saw(read, 7);
  await watch.look();
  expect(told.slice(1)).toEqual([{ kind: 'content', tenant: quiet, revision: 1, ids: null }]);
});
