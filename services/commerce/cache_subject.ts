// What a cached answer depends on, as one text: the resource that it is about, and what of the catalogue it shows beside.

export interface CacheSubject {
  /** An id; empty: anything of its kind. */
  readonly subject: string;
  /** Ids of products and collections; empty: anything of the catalogue; null: nothing of it. */
  readonly shown: readonly string[] | null;
}

const BAR = '|';
/** Beyond this, looking through them costs more than asking anew. */
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

/** Of a public feed: whose it is, as nothing else of the question says so; and, where it tells of content, its revision. */
export interface FeedSubject {
  readonly store: string;
  /** Null: it tells nothing of it. */
  readonly content: number | null;
}

export const writeFeedSubject = (store: string, content: number): string => `${store}${BAR}${content}`;

export const readFeedSubject = (text: string): FeedSubject => {
  const bar = text.indexOf(BAR);
  return bar < 0 ? { store: text, content: null } : { store: text.slice(0, bar), content: Number(text.slice(bar + 1)) };
};

/** Of a section of a marketplace: for how long it stands by itself, and what it shows of whom. */
export interface SectionSubject {
  readonly fresh_ms: number;
  readonly members: readonly SectionMember[];
}

/** A merchant in it. */
export interface SectionMember {
  readonly store: string;
  /** Of its catalogue, as of which its products are shown; null: none are. */
  readonly revision: number | null;
  readonly products: readonly string[];
}

export const writeSectionSubject = (subject: SectionSubject): string => JSON.stringify(subject);

export const readSectionSubject = (text: string): SectionSubject => JSON.parse(text);
