// Handlers of content analytics.
import type { ContentRpcs, ContentViews, DailyViews } from '#proto/gen/content.ts';
import { Refusal } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { readPeriod } from '#services/content/period.ts';
import { daysOfViews, sumsOfViews } from '#services/content/table/view.ts';
import type { ViewCounter } from '#services/content/view_counter.ts';
import type { StoreZones } from '#services/content/zone.ts';

const CONTENT_MAX = 500;

export const audienceHandlers = (clock: Clock, counter: ViewCounter, zones: StoreZones): Handlers<ContentRpcs> => ({
  GetAnalytics: query(async (sql, { tenant }, { kind = null, id = null, from, to }) => {
    const period = readPeriod(from, to, clock.now(tenant), await zones.get(tenant));
    if (period instanceof Refusal) return period;
    // Waits for views that were received before this query.
    await counter.settle();
    const sums = await sumsOfViews(sql, tenant, { kind, id, ...period }, CONTENT_MAX);
    const days = new Map<string, DailyViews[]>(sums.map((each) => [each.id, []]));
    if (sums.length > 0)
      for (const { id: content, ...day } of await daysOfViews(sql, tenant, [...days.keys()], period))
        days.get(content)?.push(day);
    const analytics = sums.map((each): ContentViews => ({ ...each, daily: days.get(each.id) ?? [] }));
    return { analytics };
  }),
});
