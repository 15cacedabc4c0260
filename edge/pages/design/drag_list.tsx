// A list whose items are put in order: by dragging their handles, or by the arrow keys on them. A list inside of another one
// may give items to it, and take some from it.
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
  /** Called when an item is dragged to a side, or moved there by an arrow key. The list is in its order at that time. */
  readonly shift?: (item: Item, side: Side, items: readonly Item[]) => void;
  /** Called when an item is dropped on an element outside of this list whose `data-drop` has this value. */
  readonly dropOn?: (item: Item, target: string) => void;
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
  /** Left edge of the drag, in pixels of the window. */
  readonly x: number;
  readonly side: Side | null;
}

type Side = 'left' | 'right';

/** A drag to the side is meant from this distance on. */
const SHIFT_PX = 56;

const sideOf = (aside: number): Side | null => (Math.abs(aside) < SHIFT_PX ? null : aside < 0 ? 'left' : 'right');

/** The element under the pointer that takes items of another list, unless the list is inside of it. */
const targetAt = ({ clientX, clientY }: PointerEvent, list: Element | null): HTMLElement | null => {
  const target = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-drop]') ?? null;
  return list && target?.contains(list) ? null : target;
};

const SIDES: Readonly<Record<string, Side>> = { ArrowLeft: 'left', ArrowRight: 'right' };

export const DragList = <Item,>(props: DragListProps<Item>) => {
  const { label, items, idOf, nameOf, move, shift, dropOn, children } = props;
  const [dragged, setDragged] = useState<Dragged<Item> | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const aimed = useRef<HTMLElement | null>(null);
  const shown = dragged?.items ?? items;
  const aim = (target: HTMLElement | null): void => {
    aimed.current?.removeAttribute('data-aimed');
    target?.setAttribute('data-aimed', '');
    aimed.current = target;
  };
  const over = (event: PointerEvent): void => {
    if (!dragged || !list.current) return;
    const rows = [...list.current.children].map((row) => row.getBoundingClientRect());
    const to = rows.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY < bottom);
    const from = dragged.items.findIndex((item) => idOf(item) === dragged.id);
    const order = to >= 0 && to !== from ? moved(dragged.items, from, to) : dragged.items;
    setDragged({ ...dragged, items: order, side: shift ? sideOf(event.clientX - dragged.x) : null });
    if (dropOn) aim(targetAt(event, list.current));
  };
  const drop = (event: PointerEvent): void => {
    setDragged(null);
    aim(null);
    const item = dragged?.items.find((each) => idOf(each) === dragged.id);
    if (!dragged || item === undefined) return;
    const target = dropOn && targetAt(event, list.current)?.dataset.drop;
    const side = sideOf(event.clientX - dragged.x);
    if (dropOn && target !== undefined) dropOn(item, target);
    else if (shift && side) shift(item, side, dragged.items);
    else move(dragged.items);
  };
  const keys = (event: KeyboardEvent, index: number): void => {
    const side = SIDES[event.key];
    if (shift && side) {
      event.preventDefault();
      shift(items[index]!, side, items);
    }
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
        <li key={idOf(item)} class={dragged?.id === idOf(item) ? `dragged ${dragged.side ?? ''}` : undefined}>
          <button
            type="button"
            class="handle"
            aria-label={`Move ${nameOf(item)}, ${index + 1} of ${shown.length}`}
            title="Drag, or press the arrow keys"
            data-item={idOf(item)}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDragged({ id: idOf(item), items, x: event.clientX, side: null });
            }}
            onPointerMove={over}
            onPointerUp={drop}
            onPointerCancel={() => {
              setDragged(null);
              aim(null);
            }}
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
