// SQL of policies: published versions, and at most one draft per type.
import type { Policy, PolicyTranslation } from '#proto/gen/store.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Translations } from '#values/translation.ts';

export type PolicyType = Policy['type'];

interface VersionRow {
  readonly type: PolicyType;
  readonly title: string;
  readonly body: string;
  readonly translations: Translations<PolicyTranslation> | null;
  readonly version: number;
  readonly published_at: Date;
}

interface DraftRow {
  readonly type: PolicyType;
  readonly title: string;
  readonly body: string;
  readonly translations: Translations<PolicyTranslation> | null;
}

/** A policy with the default texts, and its translations. */
export interface StoredPolicy {
  readonly policy: Policy;
  readonly translations: DraftRow['translations'];
}

const published = ({ type, title, body, translations, version, published_at }: VersionRow): StoredPolicy => ({
  policy: { type, title, body, version, status: 'published', published_at: published_at.toISOString() },
  translations,
});

const drafted = ({ type, title, body, translations }: DraftRow): StoredPolicy => ({
  policy: { type, title, body, version: null, status: 'draft', published_at: null },
  translations,
});

export const listNewestPublished = async (sql: Sql, store: string): Promise<StoredPolicy[]> => {
  const rows = await sql<VersionRow[]>`
    select distinct on (type) type, title, body, translations, version, published_at
    from store.policy_version where store = ${store} order by type, version desc`;
  return rows.map(published);
};

export const findPublished = async (
  sql: Sql,
  store: string,
  type: PolicyType,
  version?: number,
): Promise<StoredPolicy | null> => {
  const [row] = await sql<VersionRow[]>`
    select type, title, body, translations, version, published_at from store.policy_version
    where store = ${store} and type = ${type} ${version === undefined ? sql`` : sql`and version = ${version}`}
    order by version desc limit 1`;
  return row ? published(row) : null;
};

export const findDraft = async (sql: Sql, store: string, type: PolicyType): Promise<StoredPolicy | null> => {
  const [row] = await sql<DraftRow[]>`
    select type, title, body, translations from store.policy_draft where store = ${store} and type = ${type}`;
  return row ? drafted(row) : null;
};

export const saveDraft = async (sql: Sql, store: string, draft: DraftRow, at: Date): Promise<StoredPolicy> => {
  await sql`
    insert into store.policy_draft (store, type, title, body, translations, updated_at)
    values (${store}, ${draft.type}, ${draft.title}, ${draft.body},
      ${draft.translations && sql.json(draft.translations)}, ${at})
    on conflict (store, type) do update
    set title = excluded.title, body = excluded.body, translations = excluded.translations, updated_at = excluded.updated_at`;
  return drafted(draft);
};

/**
 * Publishes a new version and deletes the draft. Locks the store's row, so that no two versions get the same number.
 */
export const publish = async (sql: Sql, store: string, policy: DraftRow, at: Date): Promise<StoredPolicy> => {
  await sql`select 1 from store.store where id = ${store} for no key update`;
  const [row] = await sql<VersionRow[]>`
    insert into store.policy_version (store, type, version, title, body, translations, published_at)
    select ${store}, ${policy.type}, coalesce(max(version), 0) + 1, ${policy.title}, ${policy.body},
      ${policy.translations && sql.json(policy.translations)}::jsonb, ${at}
    from store.policy_version where store = ${store} and type = ${policy.type}
    returning type, title, body, translations, version, published_at`;
  await sql`delete from store.policy_draft where store = ${store} and type = ${policy.type}`;
  return published(row!);
};
