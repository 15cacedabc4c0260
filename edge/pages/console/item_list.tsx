// A titled list of items, and buttons that act on an item.
import type { ComponentChildren } from 'preact';
import type { Api } from './api.ts';
import type { ConsoleAction } from './polling.ts';

export const PAGE_SIZE = 50;

export interface EntryProps<T> {
  readonly api: Api;
  readonly work: ConsoleAction;
  readonly item: T;
}

interface ItemListProps {
  readonly id: string;
  readonly title: string;
  readonly none: string;
  readonly children: readonly ComponentChildren[] | undefined;
}

export const ItemList = ({ id, title, none, children }: ItemListProps) => (
  <section id={id}>
    <h2>
      {title}{' '}
      {children !== undefined && (
        <small>{children.length === PAGE_SIZE ? `${PAGE_SIZE} and more` : children.length}</small>
      )}
    </h2>
    {children?.length === 0 ? <p class="soft">{none}</p> : children}
  </section>
);

interface ActionButtonProps {
  readonly work: ConsoleAction;
  readonly act: () => Promise<unknown>;
  readonly message: string;
  readonly children: ComponentChildren;
}

export const ActionButton = ({ work, act, message, children }: ActionButtonProps) => (
  <button
    type="button"
    disabled={work.busy}
    onClick={() =>
      void work.run(async () => {
        await act();
        return message;
      })
    }
  >
    {children}
  </button>
);
