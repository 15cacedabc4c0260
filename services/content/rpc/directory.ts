// Handlers for other domains: published content and view counts.
import type { ContentDirectoryRpcs, CountViewsRequest, CountViewsResponse } from '#proto/gen/content.ts';
import { type Handlers, query, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { RevisionPoller } from '#services/content/revision_poller.ts';
import { storiesOfLookbooks } from '#services/content/table/lookbook.ts';
import { storiesOfPosts } from '#services/content/table/post.ts';
import { currentRevision } from '#services/content/table/revision.ts';
import { viewOf } from '#services/content/view.ts';
import type { ViewCounter } from '#services/content/view_counter.ts';
import type { StoreZones } from '#services/content/zone.ts';

const STORIES_MAX = 50;

export const directoryHandlers = (
  clock: Clock,
  counter: ViewCounter,
  poller: RevisionPoller,
  zones: StoreZones,
): Handlers<ContentDirectoryRpcs> => ({
  ListPublished: query(async (sql, { tenant }) => {
    const revision = await currentRevision(sql, tenant);
    poller.noteRevision(tenant, revision);
    const posts = await storiesOfPosts(sql, tenant, STORIES_MAX);
    return { revision, posts, lookbooks: await storiesOfLookbooks(sql, tenant, STORIES_MAX) };
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
