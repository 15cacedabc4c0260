// Makes and reads ids of events: `evt_<ms by the tenant's clock>_<suffix>`.
import { randomBytes } from 'node:crypto';
import type { Sql } from '#runtime/postgres/sql.ts';

const SUFFIX_BYTES = 8;

export const eventSuffixes = (count: number): readonly string[] => {
  const random = randomBytes(SUFFIX_BYTES * count).toString('hex');
  const width = 2 * SUFFIX_BYTES;
  return Array.from({ length: count }, (_, at) => random.slice(at * width, at * width + width));
};

export const eventId = (atMs: number, suffix = eventSuffixes(1)[0]!): string => `evt_${atMs}_${suffix}`;

export const eventTime = (id: string): Date => new Date(Number(id.split('_').at(-2)));

export const eventSuffix = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** SQL of the time in a text that ends with an event's id. */
export const eventTimeSql = (sql: Sql, text: ReturnType<Sql>) =>
  sql`to_timestamp(split_part(${text}, '_', -2)::double precision / 1000)`;
