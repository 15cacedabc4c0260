// A list as a table: while it is read, when it is empty or refused, and page after page as the reader scrolls.
import type { ComponentChildren } from 'preact';
import { Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { type RowSelection, Table, type TableColumn } from '#edge/pages/design/table.tsx';
import { ProblemNote } from './problem_note.tsx';
import type { LoadedList } from './record.ts';

interface ListTableProps<Row> {
  readonly label: string;
  readonly list: LoadedList<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly idOf: (row: Row) => string;
  readonly to?: (row: Row) => string;
  readonly nameOf?: (row: Row) => string;
  readonly selection?: RowSelection;
  /** Shown in place of an empty table: an `Empty`. */
  readonly empty: ComponentChildren;
  /** Below the table: a `SelectionBar`. */
  readonly children?: ComponentChildren;
}

export const ListTable = <Row,>({ list, empty, children, ...table }: ListTableProps<Row>) => (
  <Sheet flush>
    {list.items.length > 0 && <Table {...table} rows={list.items} more={list.more ?? undefined} />}
    {list.items.length === 0 && !list.loading && !list.problem && empty}
    {list.loading && (
      <div class="list-loading">
        <Skeleton lines={list.items.length === 0 ? 6 : 1} />
      </div>
    )}
    <ProblemNote problem={list.problem} again={list.items.length === 0 ? list.refresh : (list.more ?? list.refresh)} />
    {children}
  </Sheet>
);
