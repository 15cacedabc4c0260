// A view of a post or lookbook. Visitors and sessions are digests, which do not identify a person.
import { createHash } from 'node:crypto';
import type { SeenContent } from '#proto/gen/content.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { dayIn } from '#values/zone.ts';

/** Time zones of stores; they determine on which day a view falls. */
export type StoreZones = StoreProfiles<string>;

export const openZones = (runtime: Pick<Runtime, 'ask' | 'clock'>): StoreZones =>
  openStoreProfiles(runtime, ({ timezone }) => timezone);

export type ContentKind = SeenContent['kind'];

export interface ContentView {
  readonly kind: ContentKind;
  readonly slug: string;
  readonly visitor: string;
  readonly session: string;
  readonly seenAt: Date;
  /** Day in the store's time zone, as 2026-01-31. */
  readonly day: string;
}

/** Repeated views of a session within this time count once. */
export const REPEAT_MS = 30 * 60_000;

const DIGEST_DIGITS = 32;

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGEST_DIGITS);

/** Builds a view. A missing visitor is replaced by network and user agent, a missing session by the visitor. */
export const viewOf = ({ store }: Tenant, seen: SeenContent, seenAt: Date, timezone: string): ContentView => {
  const { kind, slug, visitor: name, session, network, agent } = seen;
  // Includes the store, so that a visitor has different digests in different stores.
  const visitor = name === '' ? digest(store, 'network', network, agent) : digest(store, 'visitor', name);
  const own = session === '' ? visitor : digest(store, 'session', session);
  return { kind, slug, visitor, session: own, seenAt, day: dayIn(timezone, seenAt) };
};
