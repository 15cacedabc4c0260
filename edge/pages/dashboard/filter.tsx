// Filters of a list, kept in the address, so that a filtered list can be shared and the way back leads to it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CheckField, FieldFrame, type Option } from '#edge/pages/design/field.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import { useFilters } from './address.ts';

const TYPING_MS = 300;

export const FilterBar = ({ children }: { readonly children: ComponentChildren }) => (
  <search class="filters">{children}</search>
);

interface FilterProps {
  /** Name of the filter in the address. */
  readonly name: string;
  readonly label: string;
}

/** A text that filters once the reader pauses. */
export const SearchFilter = ({ name, label, placeholder }: FilterProps & { readonly placeholder?: string }) => {
  const [query, change] = useFilters();
  const value = query.get(name) ?? '';
  const [text, setText] = useState(value);
  const timer = useRef(0);
  useEffect(() => setText(value), [value]);
  const apply = (next: string): void => {
    clearTimeout(timer.current);
    change({ [name]: next.trim() });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="search">
      <FieldFrame label={label} problem={undefined}>
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            value={text}
            placeholder={placeholder}
            onInput={({ currentTarget }) => {
              const next = currentTarget.value;
              setText(next);
              clearTimeout(timer.current);
              timer.current = window.setTimeout(apply, TYPING_MS, next);
            }}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
          />
        )}
      </FieldFrame>
    </div>
  );
};

interface ChoiceFilterProps extends FilterProps {
  readonly options: readonly Option[];
  /** The choice that filters nothing. */
  readonly all?: string;
}

export const ChoiceFilter = ({ name, label, options, all = 'All' }: ChoiceFilterProps) => {
  const [query, change] = useFilters();
  return (
    <FieldFrame label={label} problem={undefined}>
      {(attributes) => (
        <select
          {...attributes}
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        >
          <option value="">{all}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
};

export const DateFilter = ({ name, label }: FilterProps) => {
  const [query, change] = useFilters();
  return (
    <FieldFrame label={label} problem={undefined}>
      {(attributes) => (
        <input
          {...attributes}
          type="date"
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      )}
    </FieldFrame>
  );
};

/** The status in the address if it is one of these, so that a call has no foreign value. */
export const useStatus = <Status extends string>(statuses: readonly Status[]): { readonly status?: Status } => {
  const [query] = useFilters();
  const status = statuses.find((each) => each === query.get('status'));
  return status === undefined ? {} : { status };
};

export interface ColumnChoice<Row> {
  readonly all: readonly TableColumn<Row>[];
  /** The first column is always shown. */
  readonly shown: readonly TableColumn<Row>[];
}

/** The columns that the address names; without any those that are not `extra`. A telephone shows named ones, too. */
export const useColumnChoice = <Row,>(
  all: readonly TableColumn<Row>[],
  extra: readonly string[] = [],
): ColumnChoice<Row> => {
  const [query] = useFilters();
  const named = query.get('columns')?.split(',');
  const shown = named
    ? all.filter(({ id }, index) => index === 0 || named.includes(id)).map((column) => ({ ...column, desk: false }))
    : all.filter(({ id }) => !extra.includes(id));
  return { all, shown };
};

/** Chooses columns in the address. */
export const ColumnFilter = <Row,>({ choice: { all, shown } }: { readonly choice: ColumnChoice<Row> }) => {
  const [, change] = useFilters();
  const isShown = (id: string): boolean => shown.some((column) => column.id === id);
  return (
    <details class="column-choice">
      <summary class="button">Columns</summary>
      <div class="sheet">
        {all.slice(1).map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            value={isShown(id)}
            change={(chosen) => {
              const ids = all.map((column) => column.id).filter((each) => (each === id ? chosen : isShown(each)));
              change({ columns: ids.join() });
            }}
          />
        ))}
      </div>
    </details>
  );
};
