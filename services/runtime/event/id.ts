// An event's id, as the specification forms it: `evt_`, its moment by its tenant's clock, a suffix. Made and read here alone.
import { randomBytes } from 'node:crypto';
import type { Sql } from '#runtime/postgres/sql.ts';

const SUFFIX_BYTES = 8;

/** So many suffixes at once, none like another. */
export const eventSuffixes = (count: number): readonly string[] => {
  const random = randomBytes(SUFFIX_BYTES * count).toString('hex');
  const width = 2 * SUFFIX_BYTES;
  return Array.from({ length: count }, (_, at) => random.slice(at * width, at * width + width));
};

/** Of something that happened at that moment, in ms since the epoch. */
export const eventId = (atMs: number, suffix = eventSuffixes(1)[0]!): string => `evt_${atMs}_${suffix}`;

/** When it happened. */
export const eventTime = (id: string): Date => new Date(Number(id.split('_').at(-2)));

/** What tells it from others of its moment. */
export const eventSuffix = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** Its moment in a statement, of a text that ends with an id. */
export const eventTimeSql = (sql: Sql, text: ReturnType<Sql>) =>
  sql`to_timestamp(split_part(${text}, '_', -2)::double precision / 1000)`;
