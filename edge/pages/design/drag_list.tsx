// A list whose items are put in order: by dragging their handles, or by the arrow keys on them.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DragListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** Read aloud with the handle. */
  readonly nameOf: (item: Item) => string;
  /** Called with the new order, once an item is dropped. */
  readonly move: (items: readonly Item[]) => void;
  readonly children: (item: Item) => ComponentChildren;
}

const moved = <Item,>(items: readonly Item[], from: number, to: number): readonly Item[] => {
  const target = Math.max(0, Math.min(items.length - 1, to));
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, target), items[from]!, ...rest.slice(target)];
};

interface Dragged<Item> {
  readonly id: string;
  readonly items: readonly Item[];
}

export const DragList = <Item,>({ label, items, idOf, nameOf, move, children }: DragListProps<Item>) => {
  const [dragged, setDragged] = useState<Dragged<Item> | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const shown = dragged?.items ?? items;
  const over = (event: PointerEvent): void => {
    if (!dragged || !list.current) return;
    const rows = [...list.current.children].map((row) => row.getBoundingClientRect());
    const to = rows.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY < bottom);
    const from = dragged.items.findIndex((item) => idOf(item) === dragged.id);
    if (to >= 0 && to !== from) setDragged({ ...dragged, items: moved(dragged.items, from, to) });
  };
  const drop = (): void => {
    if (dragged) move(dragged.items);
    setDragged(null);
  };
  const keys = (event: KeyboardEvent, index: number): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    move(moved(items, index, index + step));
    requestAnimationFrame(() => handle.focus());
  };
  return (
    <ul class="drag-list" ref={list} aria-label={label}>
      {shown.map((item, index) => (
        <li key={idOf(item)} class={dragged?.id === idOf(item) ? 'dragged' : undefined}>
          <button
            type="button"
            class="handle"
            aria-label={`Move ${nameOf(item)}, ${index + 1} of ${shown.length}`}
            title="Drag, or press the arrow keys"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDragged({ id: idOf(item), items });
            }}
            onPointerMove={over}
            onPointerUp={drop}
            onPointerCancel={() => setDragged(null)}
            onKeyDown={(event) => keys(event, index)}
          >
            <Icon name="handle" />
          </button>
          <div class="content">{children(item)}</div>
        </li>
      ))}
    </ul>
  );
};
