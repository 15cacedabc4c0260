// What other parts of the house tell and ask of content.
import type { ContentDirectoryRpcs, CountViewsRequest, CountViewsResponse } from '#proto/gen/content.ts';
import type { Clock } from '#runtime/clock.ts';
import { type Handlers, read } from '#runtime/rpc.ts';
import type { ViewCounter } from '#services/content/counter.ts';
import { viewOf } from '#services/content/view.ts';

export const directoryHandlers = (clock: Clock, counter: ViewCounter): Handlers<ContentDirectoryRpcs> => ({
  CountViews: read<CountViewsRequest, CountViewsResponse>(async ({ tenant }, { views }) => {
    const now = clock.now(tenant);
    await counter.count(
      tenant,
      views.map((view) => viewOf(tenant, view, now)),
    );
    return {};
  }),
});
