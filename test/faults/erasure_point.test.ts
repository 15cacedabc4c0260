// Crashes the process that erases a person. After the restart the job continues, the person's texts are erased, and one event
// reports the deletion.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { requireSuccess } from '#test/contracts/owner.ts';
import { openMarkedPerson, openMarkedShop, tablesWith } from '#test/services/privacy/person.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
let url: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-erasure-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  host = cluster.hosts[0]!;
  url = cluster.edges[0]!.address;
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

test.each<Failpoint>(['job_claim', 'erase', 'erase_trace', 'job_run'])(
  'leaves nothing of a person whose erasure was killed at %s',
  async (place) => {
    const mark = `zq${place.replace('_', '')}person`;
    const keys = await cluster.createStore();
    const { operator_key } = await cluster.createOperator([keys.store_id]);
    const shop = await openMarkedShop(url, keys, operator_key);
    const { id, added, orders } = await openMarkedPerson(shop, mark);
    const send = (method: string, path: string, body?: object) =>
      requireSuccess(sendTo(url, method, path, { key: keys.secret_key, ...(body && { body }) }));
    const isErased = (customer: string) =>
      eventually(async () => {
        const { erasure } = await send('GET', `/v1/customers/${customer}/erasure`);
        expect(erasure.status).toBe('complete');
      }, 60_000);
    await send('POST', `/v1/customers/${added}/erase`, { reason: 'Request of 2 May' });
    await isErased(added);
    // A process dies at the erasure's job alone.
    await eventually(async () => {
      const { sql } = postgres;
      const open = await sql`select 1 from privacy.export where store = ${keys.store_id} and due_at is not null`;
      expect(open.length).toBe(0);
    });

    host.arm({ place, store_id: keys.store_id });
    await send('POST', `/v1/customers/${id}/erase`, { reason: 'Request of 3 May' }).catch(() => {});
    await eventually(() => expect(host.alive).toBe(false), 60_000);
    host.arm(null);
    await host.start();

    await isErased(id);
    expect(await tablesWith(postgres.sql, mark)).toEqual([]);
    const { webhook_events: events } = await send('GET', '/v1/webhook-events?type=customer.deleted');
    expect(events.map(({ data }: { data: { object: { id: string } } }) => data.object.id).toSorted()).toEqual(
      [id, added].toSorted(),
    );
    const { order } = await send('GET', `/v1/orders/${orders[0]}`);
    expect(order.total_amount).toBe(10);
  },
  120_000,
);
