// Sets the time at which a draft is published.
import { FormSheet, useCan, useForm, useStore } from '#edge/pages/dashboard/page.ts';
import { localMinute, momentAt } from '#edge/pages/design/day.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { BlogPost } from '#proto/client/dashboard.ts';

interface ScheduleProps {
  readonly post: BlogPost;
  readonly refresh: () => void;
}

export const Schedule = ({ post: { id, status, published_at }, refresh }: ScheduleProps) => {
  const can = useCan();
  const { timezone } = useStore();
  const form = useForm({
    saved: { published_at: status === 'scheduled' && published_at !== null ? localMinute(published_at, timezone) : '' },
    save: (api, draft) =>
      api.blog.posts.update({
        id,
        status: 'scheduled',
        published_at: momentAt(draft.published_at, timezone) ?? draft.published_at,
      }),
    done: 'The post is scheduled.',
    after: refresh,
  });
  if (!can('content:write')) return null;
  return (
    <Sheet title="Publish later">
      <FormSheet form={form} action="Schedule">
        <TextField
          label="Publish at"
          type="datetime-local"
          advice={`Time of ${timezone.replaceAll('_', ' ')}.`}
          {...form.field('published_at')}
        />
      </FormSheet>
    </Sheet>
  );
};
