// Options of the client's methods, and the type of an answer narrowed to the chosen fields.
import type { ShopperCredential } from './session.ts';

export type { Listing } from './listing.ts';

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Limit of the whole call, waits and repetitions included. */
  readonly timeoutMs?: number;
  /** How often it may be sent again. */
  readonly retries?: number;
  /** A write happens once for each key. Generated for each call when left out. */
  readonly idempotencyKey?: string;
  /** On whose behalf this one call is made, instead of the client's own shopper. */
  readonly shopper?: ShopperCredential | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The file of an upload; a browser names it. */
export interface Upload {
  readonly file: Blob;
}

/** The item of a list, else the value itself. */
type Inner<T> = NonNullable<T> extends readonly (infer Item)[] ? NonNullable<Item> : NonNullable<T>;

type NamesBelow<T> = T extends object ? (string extends keyof T ? string : FieldName<T>) : never;

/** Every name that `fields` may hold: `id`, `variants`, `variants.sku`, `attributes.colour`. */
export type FieldName<T> = {
  [K in keyof T & string]: K | `${K}.${NamesBelow<Inner<T[K]>>}`;
}[keyof T & string];

export type FieldNames<T> = readonly FieldName<Required<T>>[] | undefined;

export interface Choice<F> {
  /** The names of the fields to answer, `variants.sku` those below others; left out: all of them. */
  readonly fields?: F;
}

type Head<F> = F extends `${infer First}.${string}` ? First : F;
type Tail<F, K extends string> = F extends `${K}.${infer Rest}` ? Rest : never;

/** An object cut down to the fields named. */
export type Narrowed<T, F extends string> = T extends readonly (infer Item)[]
  ? readonly Narrowed<Item, F>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T as K extends Head<F> ? K : never]: K extends F ? T[K] : Narrowed<T[K], Tail<F, K & string>> }
    : T;

/** Makes every field optional, when the chosen names are known only at run time. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> }
    : T;

type Cut<T, F> = F extends readonly string[] ? (number extends F['length'] ? Loose<T> : Narrowed<T, F[number]>) : T;

/** An answer with its resource, which stands in `Envelope` or is the answer itself, cut down to the fields `F`. */
export type Chosen<Answer, Envelope extends string, F> = F extends undefined
  ? Answer
  : Envelope extends keyof Answer
    ? { [K in keyof Answer]: K extends Envelope ? Cut<Answer[K], F> : Answer[K] }
    : Cut<Answer, F>;
