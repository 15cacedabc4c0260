// A statement before it is sent: the library makes it from the tag, and we choose the connection that runs it.
import type { postgres, Sql } from './sql.ts';

/** What the library's query is beneath its published type: it is handed to a connection when it is awaited. */
export interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (problem: unknown) => void;
  readonly cursorFn?: unknown;
}

/** A tag whose statements go where `dispatch` sends them, once they are awaited. */
export const sqlTag = (driver: postgres.Sql, dispatch: (query: Query) => void): Sql => {
  const bind = <T>(made: T): T => {
    if (made instanceof Promise) (made as unknown as Query).handler = dispatch;
    return made;
  };
  const make = driver as unknown as (...input: unknown[]) => unknown;
  return Object.assign((...input: unknown[]) => bind(make(...input)), {
    types: driver.types,
    typed: driver.typed,
    json: driver.json,
    array: driver.array,
    unsafe: (...input: Parameters<Sql['unsafe']>) => bind(driver.unsafe(...input)),
  }) as unknown as Sql;
};
