// A view of a post or a lookbook: who looked, as digests that tell shoppers apart and name none.
import { createHash } from 'node:crypto';
import type { SeenContent } from '#proto/gen/content.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { dayIn } from '#values/day.ts';

export type ContentKind = SeenContent['kind'];

export interface ContentView {
  readonly kind: ContentKind;
  readonly slug: string;
  /** In hex. */
  readonly visitor: string;
  readonly session: string;
  /** By the tenant's clock. */
  readonly seenAt: Date;
  /** The day of that moment in the store's time zone, as 2026-01-31. */
  readonly day: string;
}

/** What a session looks at again within this time counts once. */
export const REPEAT_MS = 30 * 60_000;

const DIGEST_DIGITS = 32;

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGEST_DIGITS);

/** "Without it a coarse request-derived fallback is used"; the session is "derived from the visitor when omitted". */
export const viewOf = ({ store }: Tenant, seen: SeenContent, seenAt: Date, timezone: string): ContentView => {
  const { kind, slug, visitor: name, session, network, agent } = seen;
  // A visitor's id means nothing at another store.
  const visitor = name === '' ? digest(store, 'network', network, agent) : digest(store, 'visitor', name);
  const own = session === '' ? visitor : digest(store, 'session', session);
  return { kind, slug, visitor, session: own, seenAt, day: dayIn(timezone, seenAt) };
};
