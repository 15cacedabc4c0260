// Defines how a domain erases its records of a person.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';

export interface Person {
  readonly tenant: Tenant;
  /** The customer's id, which stays in records that are kept. */
  readonly id: string;
  /** In the form in which accounts store them. */
  readonly emails: readonly string[];
  /** Ids of the person's records that were erased so far, and numbers of parcels. */
  readonly ids: readonly string[];
}

export interface ErasedSlice {
  /** Ids of the erased records. */
  readonly ids: readonly string[];
  /** Further addresses of the person, found in these records. */
  readonly emails?: readonly string[];
  /** Position at which the next slice begins; null: every record is erased. */
  readonly next: string | null;
}

/**
 * Erases one kind of record in slices, each in a transaction. Runs again after a kill, so a record that is already erased is
 * passed over.
 */
export interface RowErasure {
  /** Names the records in logs, for example `orders`. */
  readonly what: string;
  /** `trace`: copies of records in logs, which are found by the ids of all records and are erased after them. */
  readonly stage: 'record' | 'trace';
  readonly erase: (tx: Transaction, person: Person, after: string | null) => Promise<ErasedSlice>;
}

/** Erases actors of the person, before any row. */
export interface ActorErasure {
  readonly what: string;
  readonly stage: 'actor';
  readonly erase: (person: Person) => Promise<void>;
}

export type ErasureRule = RowErasure | ActorErasure;

export const ERASED_MAX = 500;

/** A rule whose statement finds the records that are left, at most `limit`, and returns their ids. */
export const erasure = (
  what: string,
  erase: (tx: Transaction, person: Person, limit: number) => Promise<readonly string[]>,
): ErasureRule => ({
  what,
  stage: 'record',
  erase: async (tx, person) => {
    const ids = await erase(tx, person, ERASED_MAX);
    return { ids, next: ids.length < ERASED_MAX ? null : 'more' };
  },
});

/** Stands where a name, a town or a description was. */
export const ERASED_TEXT = 'Erased';

/** An address that no mail server has, different for each person, so that orders still tell buyers apart. */
export const erasedEmail = (id: string): string => `erased-${id}@example.invalid`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Shorter numbers of parcels would occur in texts about others. */
const WORD_CHARACTERS_MIN = 8;

/** The texts, in lower case, of which a copy of the person's records contains at least one. */
export const wordsOf = ({ id, emails, ids }: Person): string[] => [
  ...new Set(
    [id, ...emails, ...ids].map((word) => word.toLowerCase()).filter((word) => word.length >= WORD_CHARACTERS_MIN),
  ),
];

const SEARCHES_MAX = 20_000;
const SEARCHED_MIN = 20;
const SEARCHED_MAX = 1_000;

/** Number of rows that a statement searches for the words, so that it stays far below its time-out. */
export const searchedAtOnce = (words: readonly string[]): number =>
  Math.min(SEARCHED_MAX, Math.max(SEARCHED_MIN, Math.floor(SEARCHES_MAX / words.length)));

export const mentionsAny = (sql: Sql, text: SqlFragment, words: readonly string[]): SqlFragment => sql`
  exists (select from unnest(${words as string[]}::text[]) as word where strpos(lower(${text}), word) > 0)`;

export const recordIds = ({ ids }: Pick<Person, 'ids'>): string[] => ids.filter((id) => UUID.test(id));
