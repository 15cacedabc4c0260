// SQL of the templates that stores changed, and of the kinds that they enabled or disabled.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { MailKind } from '#services/mail/kind.ts';

/** A null part is the built-in one. `language` is empty for the store's default language. */
export interface TemplateRecord {
  readonly kind: MailKind;
  readonly language: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly updated_at: Date;
}

const columns = (sql: Sql) => sql`kind, language, subject, html, text, updated_at`;

/** Returns the store's own templates: all, or those of one kind. */
export const findTemplates = (sql: Sql, { store, environment }: Tenant, kind: MailKind | null) => sql<TemplateRecord[]>`
  select ${columns(sql)} from mail.template
  where store = ${store} and environment = ${environment} and (${kind}::text is null or kind = ${kind})
  order by kind, language`;

export const saveTemplate = async (
  sql: Sql,
  { store, environment }: Tenant,
  { kind, language, subject, html, text, updated_at }: TemplateRecord,
): Promise<void> => {
  await sql`
    insert into mail.template (store, environment, kind, language, subject, html, text, updated_at)
    values (${store}, ${environment}, ${kind}, ${language}, ${subject}, ${html}, ${text}, ${updated_at})
    on conflict (store, environment, kind, language) do update
      set subject = excluded.subject, html = excluded.html, text = excluded.text, updated_at = excluded.updated_at`;
};

/** Deletes the template of one language, or of all. */
export const deleteTemplates = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: MailKind,
  language: string | null,
): Promise<void> => {
  await sql`
    delete from mail.template
    where store = ${store} and environment = ${environment} and kind = ${kind}
      and (${language}::text is null or language = ${language})`;
};

/** Deletes the templates of all languages but the store's default one. */
export const deleteTranslations = async (sql: Sql, { store, environment }: Tenant, kind: MailKind): Promise<void> => {
  await sql`
    delete from mail.template
    where store = ${store} and environment = ${environment} and kind = ${kind} and language <> ''`;
};

export interface KindSetting {
  /** Null: as the kind is by default. */
  readonly enabled: boolean | null;
  /** The last change of a template of the kind or of its sending; null if none since releases note it. */
  readonly changed_at: Date | null;
}

export const findSettings = async (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<ReadonlyMap<string, KindSetting>> => {
  const rows = await sql<(KindSetting & { kind: string })[]>`
    select kind, enabled, changed_at from mail.setting where store = ${store} and environment = ${environment}`;
  return new Map(rows.map(({ kind, ...setting }) => [kind, setting]));
};

/** Locks all of a kind: its setting, which changes with each of its templates. */
export const lockSetting = async (sql: Sql, { store, environment }: Tenant, kind: MailKind): Promise<KindSetting> => {
  await sql`
    insert into mail.setting (store, environment, kind) values (${store}, ${environment}, ${kind}) on conflict do nothing`;
  const [row] = await sql<[KindSetting]>`
    select enabled, changed_at from mail.setting
    where store = ${store} and environment = ${environment} and kind = ${kind} for update`;
  return row;
};

export const saveSetting = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: MailKind,
  { enabled, changed_at }: KindSetting,
): Promise<void> => {
  await sql`
    update mail.setting set enabled = ${enabled}, changed_at = ${changed_at}
    where store = ${store} and environment = ${environment} and kind = ${kind}`;
};
