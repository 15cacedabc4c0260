// Dependencies of a cached answer (its resource, and the catalogue entries it shows), encoded as one string.

export interface CacheSubject {
  /** Id of the resource; empty if the answer depends on all resources of its kind. */
  readonly subject: string;
  /** Ids of the products and collections shown; empty for the whole catalogue, null for none of it. */
  readonly shown: readonly string[] | null;
}

const BAR = '|';
/** Above this number the answer depends on the whole catalogue, since comparing ids would cost more than the query. */
const SHOWN_MAX = 1_000;

export const writeSubject = (subject: string, shown: ReadonlySet<string>): string => {
  if (shown.size === 0) return subject;
  return `${subject}${BAR}${shown.size > SHOWN_MAX ? '' : [...shown].join(',')}`;
};

export const readSubject = (text: string): CacheSubject => {
  const bar = text.indexOf(BAR);
  if (bar < 0) return { subject: text, shown: null };
  const names = text.slice(bar + 1);
  return { subject: text.slice(0, bar), shown: names === '' ? [] : names.split(',') };
};

export interface FeedSubject {
  readonly store: string;
  readonly content: number | null;
}

export const writeFeedSubject = (store: string, content: number): string => `${store}${BAR}${content}`;

export const readFeedSubject = (text: string): FeedSubject => {
  const bar = text.indexOf(BAR);
  return bar < 0 ? { store: text, content: null } : { store: text.slice(0, bar), content: Number(text.slice(bar + 1)) };
};

export interface SectionSubject {
  readonly fresh_ms: number;
  readonly members: readonly SectionMember[];
}

export interface SectionMember {
  readonly store: string;
  readonly revision: number | null;
  readonly products: readonly string[];
}

export const writeSectionSubject = (subject: SectionSubject): string => JSON.stringify(subject);

export const readSectionSubject = (text: string): SectionSubject => JSON.parse(text);
