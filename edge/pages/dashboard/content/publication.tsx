// The status of posts, lookbooks and policies, and the buttons that change it.
import { useState } from 'preact/hooks';
import { at, go, ProblemNote, useCan, useWrite } from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, type Tone } from '#edge/pages/design/display.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';

const TONES: Readonly<Record<string, Tone>> = { published: 'go', scheduled: 'warn' };

export const ContentBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>
);

interface PublicationProps {
  /** “post” or “lookbook”. */
  readonly noun: string;
  readonly title: string;
  readonly isPublished: boolean;
  readonly setStatus: (api: DashboardApi, status: 'published' | 'draft') => Promise<unknown>;
  readonly remove: (api: DashboardApi) => Promise<unknown>;
  readonly refresh: () => void;
}

export const PublicationActions = ({ noun, title, isPublished, setStatus, remove, refresh }: PublicationProps) => {
  const can = useCan();
  const [asked, ask] = useState(false);
  const write = useWrite();
  if (!can('content:write')) return null;
  const turn = async (status: 'published' | 'draft', before: 'published' | 'draft'): Promise<void> => {
    const back = async (api: DashboardApi): Promise<void> => {
      await setStatus(api, before);
      refresh();
    };
    const done = status === 'published' ? `The ${noun} is published.` : `The ${noun} is a draft again.`;
    if (await write.run((api) => setStatus(api, status), { done, undo: back })) refresh();
  };
  const confirm = async (): Promise<void> => {
    if (await write.run(remove, { done: `${title} is deleted.` })) go(at('content', { kind: `${noun}s` }));
  };
  return (
    <>
      {isPublished ? (
        <Button busy={write.busy} press={() => void turn('draft', 'published')}>
          Unpublish
        </Button>
      ) : (
        <Button tone="primary" busy={write.busy} press={() => void turn('published', 'draft')}>
          Publish
        </Button>
      )}
      <Button tone="danger" press={() => ask(true)}>
        Delete
      </Button>
      {!asked && <ProblemNote problem={write.problem} />}
      {asked && (
        <Confirm
          title={`Delete ${title}?`}
          action={`Delete the ${noun}`}
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => ask(false)}
        >
          <p>Readers no longer find it. It cannot be brought back.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
