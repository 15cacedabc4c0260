// Collections: their document, the attributes that an update event carries, and list pages.
import type { ListCollectionsRequest, ProductCollection } from '#proto/gen/collection.ts';
import { foreignCursor, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { type AnswerLanguage, inLanguage } from '#values/translation.ts';
import type { CollectionRecord } from './table/collection.ts';

type Fields = Omit<CollectionRecord, 'product_ids'>;

/** Without a language the document has the default texts alone. */
export const collectionDocument = (collection: Fields, language?: AnswerLanguage): ProductCollection =>
  inLanguage(defaultDocument(collection), collection.translations, language);

const defaultDocument = ({ created_at, updated_at, ...collection }: Fields): ProductCollection => ({
  id: collection.id,
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  collection_type: collection.collection_type,
  is_active: collection.is_active,
  show_on_homepage: collection.show_on_homepage,
  display_priority: collection.display_priority,
  image: collection.image,
  image_mobile: collection.image_mobile,
  video: collection.video,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

const EVENT_FIELDS = ['name', 'image', 'image_mobile', 'show_on_homepage', 'display_priority'] as const;

export const previousAttributesOf = (before: Fields, after: Fields): Record<string, unknown> | null => {
  if (EVENT_FIELDS.every((name) => before[name] === after[name])) return null;
  const was = collectionDocument(before);
  const is = collectionDocument(after);
  const names = (Object.keys(was) as (keyof ProductCollection)[]).filter((name) => name !== 'updated_at');
  return Object.fromEntries(names.filter((name) => was[name] !== is[name]).map((name) => [name, was[name]]));
};

const LIMIT_DEFAULT = 20;

const compare = (a: Fields, b: Fields): number =>
  a.display_priority - b.display_priority ||
  b.created_at.getTime() - a.created_at.getTime() ||
  (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

export interface CollectionPage {
  readonly collections: readonly CollectionRecord[];
  readonly limit: number;
  readonly nextCursor: string | null;
}

export const collectionPage = (
  all: Iterable<CollectionRecord>,
  tenant: Tenant,
  request: ListCollectionsRequest,
  everything: boolean,
): CollectionPage | Refusal => {
  const { show_on_homepage: onHomepage, limit = LIMIT_DEFAULT, cursor } = request;
  const scope = JSON.stringify(['collections', tenantKey(tenant), onHomepage ?? null]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor);
  if (cursor !== undefined && keys === null) {
    return foreignCursor(cursor);
  }
  let rest = [...all]
    .filter((collection) => everything || collection.is_active)
    .filter((collection) => onHomepage === undefined || collection.show_on_homepage === onHomepage)
    .sort(compare);
  if (keys !== null) {
    const [priority, createdAt, id] = keys;
    const last = {
      display_priority: Number(priority),
      created_at: new Date(Number(createdAt)),
      id: String(id),
    } as CollectionRecord;
    rest = rest.filter((collection) => compare(collection, last) > 0);
  }
  const collections = rest.slice(0, limit);
  const last = rest.length > limit ? collections[limit - 1]! : null;
  return {
    collections,
    limit,
    nextCursor: last && encodeCursor(scope, [last.display_priority, last.created_at.getTime(), last.id]),
  };
};
