// Scheduled feeds, pulled by their tenant's clock.
import { describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { performDue } from '#runtime/domain/due_clock.ts';
import { feedsDue } from '#services/catalog/ingestion/schedule.ts';
import { NOW, openIngestionHost } from './host.ts';

describe('a schedule', () => {
  test('pulls at the tenant’s time, once, and again after the interval', async () => {
    const own = await openIngestionHost();
    try {
      const [live, test] = [await own.newTenant('USD'), await own.newTenant('USD', 'sandbox')];
      const jobsOf = async (whose: Tenant) => (await own.call(whose, 'Ingestion/ListJobs')).jobs.length;
      const due = feedsDue({ ...own.runtime, wake: () => {} });
      const feed = { url: 'https://shop.example.com/feed.csv', format: 'csv', interval_minutes: 30 };
      for (const whose of [live, test]) await own.call(whose, 'Ingestion/CreateFeed', feed);
      expect(await performDue(own.runtime, due)).toBe(0);
      // Advances only the sandbox's clock.
      own.clock.setOffset(test, 30 * 60_000);
      expect(await performDue(own.runtime, due)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([0, 1]);
      own.clock.advance(30 * 60_000);
      expect(await performDue(own.runtime, due)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([1, 1]);
      expect((await own.call(live, 'Ingestion/ListFeeds')).feeds[0].next_sync_at).toBe(
        new Date(NOW + 60 * 60_000).toISOString(),
      );
    } finally {
      await own.close();
    }
  });
});
