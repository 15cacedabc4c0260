// Documents of mail templates as the API shows them, and the example data that previews render.
import type { MailTemplateResponse, MailTemplateSource } from '#proto/gen/mail_template.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { NEVER_CHANGED } from '#services/commerce/record_version.ts';
import { isEditable, KINDS, type MailDataOf, type MailKind } from './kind.ts';
import type { MailRenderer, StoreFrame } from './renderer.ts';
import { findSettings, findTemplates, type KindSetting, type TemplateRecord } from './table/template.ts';
import { builtInTemplate } from './template/built_in.ts';
import type { TemplateValues } from './template/engine.ts';
import { exampleData } from './template/example.ts';
import { BUILT_IN_LANGUAGES } from './template/phrase.ts';
import { listVariables, templateValues } from './template/variable.ts';
import { ownParts, templateLanguage, translationsOf } from './template_language.ts';

const EXAMPLE_UNSUBSCRIBE = 'https://shop.example.com/unsubscribe';

/** The store's templates and settings of one kind. */
interface StoredTemplates {
  readonly records: readonly TemplateRecord[];
  readonly settings: ReadonlyMap<string, KindSetting>;
}

export interface TemplateDocuments {
  /** Example data of every kind; `order` replaces the example's. */
  exampleOf(tenant: Tenant, used: StoreFrame, order?: StoreOrder): MailDataOf;
  valuesOf(tenant: Tenant, kind: MailKind, used: StoreFrame, order?: StoreOrder): TemplateValues;
  documentOf(
    tenant: Tenant,
    kind: MailKind,
    used: StoreFrame,
    stored: StoredTemplates,
    language: string | null,
  ): MailTemplateSource;
  read(sql: Sql, tenant: Tenant, kind: MailKind, language: string | null): Promise<MailTemplateResponse>;
}

/** When a kind was last changed; templates of earlier releases have their own times alone. */
export const changedAt = (setting: KindSetting | undefined, records: readonly TemplateRecord[]): Date =>
  setting?.changed_at ?? new Date(Math.max(NEVER_CHANGED.getTime(), ...records.map(({ updated_at }) => +updated_at)));

export const unsubscribeExample = (kind: MailKind): string | null =>
  KINDS[kind].group === 'marketing' ? EXAMPLE_UNSUBSCRIBE : null;

export const openTemplateDocuments = (
  { clock }: Pick<Runtime, 'clock'>,
  { frame }: Pick<MailRenderer, 'frame'>,
): TemplateDocuments => {
  const exampleOf: TemplateDocuments['exampleOf'] = (tenant, { currency }, order) =>
    exampleData({ currency, now: clock.now(tenant).toISOString() }, order);

  const valuesOf: TemplateDocuments['valuesOf'] = (tenant, kind, used, order) =>
    templateValues(kind, exampleOf(tenant, used, order)[kind], used, unsubscribeExample(kind));

  const documentOf: TemplateDocuments['documentOf'] = (tenant, kind, used, { records, settings }, language) => {
    const [own] = used.languages;
    const shown = templateLanguage(records, language ?? own, own);
    const parts = ownParts(records, shown, own);
    const translations = language === null ? translationsOf(records) : null;
    return {
      kind,
      language,
      ...builtInTemplate(kind, shown),
      ...parts,
      enabled: settings.get(kind)?.enabled ?? KINDS[kind].enabledByDefault,
      changed: Object.keys(parts).length > 0,
      editable: isEditable(kind),
      marketing: KINDS[kind].group === 'marketing',
      languages: records.flatMap((record) => (record.language === '' ? [] : [record.language])),
      variables: listVariables(valuesOf(tenant, kind, used)),
      ...(translations && { translations }),
      built_in_languages: BUILT_IN_LANGUAGES,
      updated_at: changedAt(settings.get(kind), records).toISOString(),
    };
  };

  const read: TemplateDocuments['read'] = async (sql, tenant, kind, language) => {
    const stored = { records: await findTemplates(sql, tenant, kind), settings: await findSettings(sql, tenant) };
    return { mail_template: documentOf(tenant, kind, await frame(tenant, language), stored, language) };
  };

  return { exampleOf, valuesOf, documentOf, read };
};
