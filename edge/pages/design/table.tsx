// A table of records: rows that the keyboard walks, selects and opens. Only rows near the window are drawn, so that a list
// may be as long as it likes.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface TableColumn<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligned to the right. */
  readonly number?: boolean;
  /** Left out on a telephone. */
  readonly desk?: boolean;
}

export interface RowSelection {
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: ReadonlySet<string>) => void;
}

interface TableProps<Row> {
  /** Read aloud: what the table lists. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** URL of a row's own screen: its first cell becomes a link. Enter opens the first link of a row. */
  readonly to?: ((row: Row) => string) | undefined;
  readonly selection?: RowSelection | undefined;
  /** Names a row for the reader of its checkbox; its id unless said. */
  readonly nameOf?: ((row: Row) => string) | undefined;
  /** Called when the last rows come near. */
  readonly more?: (() => void) | undefined;
}

/** Until a row is drawn and measured: buttons and pictures make rows higher. */
const ROW_PX = 48;
const DRAWN_AROUND = 20;
/** Shorter tables are drawn whole, with rows as high as their contents. */
const WHOLE_MAX = 100;

interface DrawnRows {
  readonly first: number;
  readonly last: number;
  readonly rowPx: number;
}

const useWindow = (count: number, body: { readonly current: HTMLElement | null }): DrawnRows => {
  const [measuredPx, setMeasuredPx] = useState(ROW_PX);
  const [drawn, setDrawn] = useState<readonly [number, number]>([0, WHOLE_MAX]);
  useLayoutEffect(() => {
    if (count <= WHOLE_MAX) return;
    const look = (): void => {
      // `offsetHeight` is rounded by the row's place: 75,000 rows of half a pixel too much are out of the window.
      const height = body.current?.querySelector('tr:not(.space)')?.getBoundingClientRect().height ?? 0;
      const rowPx = height > 0 ? height : ROW_PX;
      setMeasuredPx(rowPx);
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const shown = Math.ceil(innerHeight / rowPx) + 2 * DRAWN_AROUND;
      const first = Math.max(0, Math.min(Math.floor(-top / rowPx) - DRAWN_AROUND, count - shown));
      const last = Math.min(count, first + shown);
      setDrawn((before) => (before[0] === first && before[1] === last ? before : [first, last]));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  const [first, last] = count <= WHOLE_MAX ? [0, count] : drawn;
  return { first, last, rowPx: measuredPx };
};

const Space = ({ rows, rowPx }: { readonly rows: number; readonly rowPx: number }) =>
  rows > 0 ? (
    <tr class="space">
      <td style={{ height: `${rows * rowPx}px` }} />
    </tr>
  ) : null;

interface RowsProps<Row> extends TableProps<Row> {
  readonly at: number;
  readonly setAt: (at: number) => void;
}

const toggled = ({ selected }: RowSelection, id: string): Set<string> => {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
};

const rowKeys = <Row,>({ rows, idOf, selection, at, setAt }: RowsProps<Row>) => {
  const step = (event: KeyboardEvent, next: number): void => {
    event.preventDefault();
    const target = Math.max(0, Math.min(rows.length - 1, next));
    if (event.shiftKey && selection)
      selection.select(new Set([...selection.selected, idOf(rows[at]!), idOf(rows[target]!)]));
    setAt(target);
  };
  return (event: KeyboardEvent): void => {
    const { target, key } = event;
    // Keys typed in a cell's own input or button belong to it.
    if (!(target instanceof HTMLTableRowElement)) return;
    if (key === 'ArrowDown') step(event, at + 1);
    else if (key === 'ArrowUp') step(event, at - 1);
    else if (key === 'Home') step(event, 0);
    else if (key === 'End') step(event, rows.length - 1);
    else if (key === ' ' && selection) {
      event.preventDefault();
      selection.select(toggled(selection, idOf(rows[at]!)));
    } else if (key === 'a' && (event.ctrlKey || event.metaKey) && selection) {
      event.preventDefault();
      selection.select(new Set(rows.map(idOf)));
    } else if (key === 'Enter') target.querySelector('a')?.click();
  };
};

interface CellsProps<Row> extends Pick<TableProps<Row>, 'columns' | 'to'> {
  readonly row: Row;
  readonly isCurrent: boolean;
}

/** The Tab key stops at the link of the current row alone, so that it leaves a list that is read on and on. */
const Cells = <Row,>({ row, columns, to, isCurrent }: CellsProps<Row>) => (
  <>
    {columns.map(({ id, cell, number, desk }, column) => (
      <td key={id} class={[number && 'number', desk && 'desk'].filter(Boolean).join(' ') || undefined}>
        {column === 0 && to ? (
          <a href={to(row)} tabIndex={isCurrent ? 0 : -1}>
            {cell(row)}
          </a>
        ) : (
          cell(row)
        )}
      </td>
    ))}
  </>
);

const Rows = <Row,>(props: RowsProps<Row>) => {
  const { rows, idOf, to, columns, selection, nameOf = idOf, more, at, setAt } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, last, rowPx } = useWindow(rows.length, body);
  useEffect(() => {
    if (more && last >= rows.length - DRAWN_AROUND && rows.length > 0) more();
  }, [last, rows.length]);
  const walked = useRef(false);
  useEffect(() => {
    if (!walked.current) return;
    const row = body.current?.querySelector<HTMLElement>('tr[tabindex="0"]');
    if (row) row.focus();
    // The row is drawn once the window is there.
    else if (body.current)
      scrollTo(0, scrollY + body.current.getBoundingClientRect().top + at * rowPx - innerHeight / 2);
  }, [at, first, last]);
  const keys = rowKeys({
    ...props,
    setAt: (next) => {
      walked.current = true;
      setAt(next);
    },
  });
  return (
    <tbody ref={body} onKeyDown={keys}>
      <Space rows={first} rowPx={rowPx} />
      {rows.slice(first, last).map((row, offset) => {
        const id = idOf(row);
        const chosen = selection?.selected.has(id);
        return (
          <tr
            key={id}
            tabIndex={first + offset === at ? 0 : -1}
            aria-selected={chosen}
            onFocus={() => {
              walked.current = false;
              setAt(first + offset);
            }}
          >
            {selection && (
              <td class="choice">
                <input
                  type="checkbox"
                  aria-label={`Select ${nameOf(row)}`}
                  tabIndex={-1}
                  checked={chosen}
                  onChange={() => selection.select(toggled(selection, id))}
                />
              </td>
            )}
            <Cells row={row} columns={columns} to={to} isCurrent={first + offset === at} />
          </tr>
        );
      })}
      <Space rows={rows.length - last} rowPx={rowPx} />
    </tbody>
  );
};

export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rows, idOf, selection } = props;
  const [at, setAt] = useState(0);
  const all = rows.length > 0 && rows.every((row) => selection?.selected.has(idOf(row)));
  return (
    <div class="table-room">
      <table class={rows.length > WHOLE_MAX ? 'table steady' : 'table'} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th class="choice" scope="col">
                <input
                  type="checkbox"
                  aria-label="Select all rows"
                  checked={all}
                  onChange={() => selection.select(all ? new Set() : new Set(rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map(({ id, name, number, desk }) => (
              <th
                key={id}
                scope="col"
                class={[number && 'number', desk && 'desk'].filter(Boolean).join(' ') || undefined}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <Rows {...props} at={Math.min(at, Math.max(0, rows.length - 1))} setAt={setAt} />
      </table>
    </div>
  );
};

/** Actions on the selected rows; shown while there are some. */
export const SelectionBar = ({
  selection: { selected, select },
  children,
}: {
  readonly selection: RowSelection;
  readonly children: ComponentChildren;
}) =>
  selected.size === 0 ? null : (
    <section class="selection-bar" aria-label="Selected rows">
      <b>{selected.size} selected</b>
      {children}
      <button type="button" class="button quiet" onClick={() => select(new Set())}>
        Select none
      </button>
    </section>
  );

export const useSelection = (): RowSelection => {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  return { selected, select };
};
