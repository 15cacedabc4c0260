// Things of a kind, one below the other, and the decisions that each of them asks for.
import type { ComponentChildren } from 'preact';
import type { Api } from './api.ts';
import type { LiveAction } from './live.ts';

/** As many as are shown of a kind. */
export const PAGE = 50;

/** What one of them is decided with. */
export interface EntryProps<T> {
  readonly api: Api;
  readonly work: LiveAction;
  readonly given: T;
}

interface PileProps {
  readonly id: string;
  readonly title: string;
  readonly none: string;
  readonly children: readonly ComponentChildren[] | undefined;
}

export const Pile = ({ id, title, none, children }: PileProps) => (
  <section id={id}>
    <h2>
      {title}{' '}
      {children !== undefined && <small>{children.length === PAGE ? `${PAGE} and more` : children.length}</small>}
    </h2>
    {children?.length === 0 ? <p class="soft">{none}</p> : children}
  </section>
);

interface StepProps {
  readonly work: LiveAction;
  readonly act: () => Promise<unknown>;
  readonly told: string;
  readonly children: ComponentChildren;
}

/** One decision. */
export const Step = ({ work, act, told, children }: StepProps) => (
  <button
    type="button"
    disabled={work.busy}
    onClick={() =>
      void work.run(async () => {
        await act();
        return told;
      })
    }
  >
    {children}
  </button>
);
