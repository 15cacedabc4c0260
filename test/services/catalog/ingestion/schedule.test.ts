// Feeds that are pulled by themselves, by the clock of their tenant.
import { describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { pullDue } from '#services/catalog/ingestion/schedule.ts';
import { NOW, openIngestionHost } from './host.ts';

describe('a schedule', () => {
  test('pulls when the tenant’s time has come, once, and again an interval later', async () => {
    const own = await openIngestionHost();
    try {
      const [live, test] = [await own.newTenant('USD'), await own.newTenant('USD', 'sandbox')];
      const jobsOf = async (whose: Tenant) => (await own.call(whose, 'Ingestion/ListJobs')).jobs.length;
      const options = { ...own.runtime, wake: () => {} };
      const feed = { url: 'https://shop.example.com/feed.csv', format: 'csv', interval_minutes: 30 };
      for (const whose of [live, test]) await own.call(whose, 'Ingestion/CreateFeed', feed);
      expect(await pullDue(options)).toBe(0);
      // Only the sandbox's clock runs ahead.
      own.clock.setOffset(test, 30 * 60_000);
      expect(await pullDue(options)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([0, 1]);
      own.clock.advance(30 * 60_000);
      expect(await pullDue(options)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([1, 1]);
      expect((await own.call(live, 'Ingestion/ListFeeds')).feeds[0].next_sync_at).toBe(
        new Date(NOW + 60 * 60_000).toISOString(),
      );
    } finally {
      await own.close();
    }
  });
});
