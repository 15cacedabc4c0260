// Handlers of content analytics, and of other domains' reads: published content and view counts.
import type {
  ContentDirectoryRpcs,
  ContentRpcs,
  ContentViews,
  CountViewsRequest,
  CountViewsResponse,
  DailyViews,
} from '#proto/gen/content.ts';
import { Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { readPeriod } from '#services/content/period.ts';
import type { RevisionPoller } from '#services/content/revision_poller.ts';
import { storiesOfLookbooks } from '#services/content/table/lookbook.ts';
import { storiesOfPosts } from '#services/content/table/post.ts';
import { currentRevision } from '#services/content/table/revision.ts';
import { daysOfViews, sumsOfViews } from '#services/content/table/view.ts';
import { type StoreZones, viewOf } from '#services/content/view.ts';
import type { ViewCounter } from '#services/content/view_counter.ts';

const CONTENT_MAX = 500;

export const audienceHandlers = (clock: Clock, counter: ViewCounter, zones: StoreZones): Handlers<ContentRpcs> => ({
  GetAnalytics: query(async (sql, { tenant }, { kind = null, id = null, from, to }) => {
    const period = readPeriod(from, to, clock.now(tenant), await zones.get(tenant));
    if (period instanceof Refusal) return period;
    // Waits until views received before this query are written.
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

const STORIES_MAX = 50;

export const directoryHandlers = (
  clock: Clock,
  counter: ViewCounter,
  poller: RevisionPoller,
  zones: StoreZones,
): Handlers<ContentDirectoryRpcs> => ({
  ListPublished: query(async (sql, { tenant }, { language }) => {
    const revision = await currentRevision(sql, tenant);
    poller.noteRevision(tenant, revision);
    const posts = await storiesOfPosts(sql, tenant, STORIES_MAX, language);
    return { revision, posts, lookbooks: await storiesOfLookbooks(sql, tenant, STORIES_MAX, language) };
  }),

  CountViews: read<CountViewsRequest, CountViewsResponse>(async ({ tenant }, { views }) => {
    const now = clock.now(tenant);
    const timezone = await zones.get(tenant);
    await counter.count(
      tenant,
      views.map((view) => viewOf(tenant, view, now, timezone)),
    );
    return {};
  }),
});
