// Reads of screens: one record, or a list by cursors. Each is read again when its arguments or the environment change.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { problemOf, type ScreenProblem } from './problem.ts';
import { inSession, useDashboard } from './session.ts';

export interface LoadedRecord<T> {
  /** Null until it is read. */
  readonly value: T | null;
  readonly problem: ScreenProblem | null;
  readonly loading: boolean;
  readonly refresh: () => void;
  /** Shows what a write has answered, without reading again. */
  readonly set: (value: T) => void;
}

type Arguments = readonly (string | number | boolean | null | undefined)[];

/** `useRecord((api) => api.orders.get({ id }), [id])`. */
export const useRecord = <T>(ask: (api: DashboardApi) => Promise<T>, args: Arguments): LoadedRecord<T> => {
  const dashboard = useDashboard();
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<ScreenProblem | null>(null);
  const [loading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const asked = useRef('');
  const name = JSON.stringify([dashboard.environment, ...args]);
  useEffect(() => {
    let over = false;
    if (asked.current !== name) setValue(null);
    asked.current = name;
    setLoading(true);
    setProblem(null);
    inSession(dashboard, async () => ask(dashboard.api)).then(
      (read) => {
        if (over) return;
        setValue(() => read);
        setLoading(false);
      },
      (refused: unknown) => {
        if (over) return;
        setProblem(problemOf(refused));
        setLoading(false);
      },
    );
    return () => {
      over = true;
    };
  }, [name, turn]);
  return { value, problem, loading, refresh: () => setTurn((times) => times + 1), set: (next) => setValue(() => next) };
};

interface PageOfList {
  readonly pagination?: { readonly next_cursor?: string | null };
}

export interface LoadedList<Item> {
  readonly items: readonly Item[];
  readonly problem: ScreenProblem | null;
  readonly loading: boolean;
  /** Null when all is read. `Table` takes it. */
  readonly more: (() => void) | null;
  readonly refresh: () => void;
  /** Changes the items as they are then: several writes may be under way. */
  readonly change: (next: (items: readonly Item[]) => readonly Item[]) => void;
}

export interface CursorRequest {
  readonly limit: number;
  readonly cursor?: string;
}

const LIMIT = 50;

/** Never for a name that the answer has no list of. */
type ItemAt<Page, Key extends string> = Page extends Readonly<Record<Key, readonly (infer Item)[]>> ? Item : never;

interface ListState<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/**
 * `useList((api, page) => api.orders.list({ ...page, customer_id }), 'orders', [customer_id])`: `orders` is the name of the
 * list in the answer.
 */
export const useList = <Answer, Key extends string>(
  ask: (api: DashboardApi, page: CursorRequest) => Answer,
  key: Key,
  args: Arguments,
): LoadedList<ItemAt<Awaited<Answer>, Key>> => {
  type Item = ItemAt<Awaited<Answer>, Key>;
  const dashboard = useDashboard();
  const name = JSON.stringify([dashboard.environment, ...args]);
  const [state, setState] = useState<ListState<Item>>({ name, items: [], cursor: null });
  const [problem, setProblem] = useState<ScreenProblem | null>(null);
  const [loading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const current = useRef('');
  const busy = useRef(false);
  const read = (cursor: string | null, run: string): void => {
    busy.current = true;
    setLoading(true);
    setProblem(null);
    const page = { limit: LIMIT, ...(cursor === null ? {} : { cursor }) };
    inSession(dashboard, async () => (await ask(dashboard.api, page)) as PageOfList & Record<Key, readonly Item[]>)
      .then(
        (answer) => {
          if (current.current !== run) return;
          const found = answer[key];
          const next = answer.pagination?.next_cursor ?? null;
          setState((before) => ({ name, items: cursor === null ? found : [...before.items, ...found], cursor: next }));
        },
        (refused: unknown) => {
          if (current.current === run) setProblem(problemOf(refused));
        },
      )
      .finally(() => {
        if (current.current !== run) return;
        busy.current = false;
        setLoading(false);
      });
  };
  useEffect(() => {
    const run = `${turn} ${name}`;
    current.current = run;
    read(null, run);
    return () => {
      current.current = '';
    };
  }, [name, turn]);
  const { cursor } = state;
  const items = state.name === name ? state.items : [];
  return {
    items,
    problem,
    loading,
    more: cursor === null || state.name !== name ? null : () => void (busy.current || read(cursor, current.current)),
    refresh: () => setTurn((times) => times + 1),
    change: (next) => setState((before) => ({ ...before, items: next(before.items) })),
  };
};
