// Documents of mail templates as the API shows them, and the example data that previews render.
import type { MailTemplateResponse, MailTemplateSource } from '#proto/gen/mail_template.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { isEditable, KINDS, type MailDataOf, type MailKind } from './kind.ts';
import { type MailRenderer, ownParts } from './renderer.ts';
import { findSettings, findTemplates, type TemplateRecord } from './table/template.ts';
import { builtInTemplate, DEFAULT_LANGUAGE } from './template/built_in.ts';
import type { TemplateValues } from './template/engine.ts';
import { exampleData } from './template/example.ts';
import { listVariables, type MailFrame, templateValues } from './template/variable.ts';

const EXAMPLE_UNSUBSCRIBE = 'https://shop.example.com/unsubscribe';

export type TemplateFrame = MailFrame & { readonly currency: string };

/** The store's templates and settings of one kind. */
interface StoredTemplates {
  readonly records: readonly TemplateRecord[];
  readonly settings: ReadonlyMap<string, boolean>;
}

export interface TemplateDocuments {
  /** Example data of every kind; `order` replaces the example's. */
  exampleOf(tenant: Tenant, used: TemplateFrame, order?: StoreOrder): MailDataOf;
  valuesOf(tenant: Tenant, kind: MailKind, used: TemplateFrame, order?: StoreOrder): TemplateValues;
  documentOf(
    tenant: Tenant,
    kind: MailKind,
    used: TemplateFrame,
    stored: StoredTemplates,
    language: string | null,
  ): MailTemplateSource;
  read(sql: Sql, tenant: Tenant, kind: MailKind, language: string | null): Promise<MailTemplateResponse>;
}

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
    const own = ownParts(records, language ?? '');
    return {
      kind,
      language,
      ...builtInTemplate(kind, language ?? DEFAULT_LANGUAGE),
      ...own,
      enabled: settings.get(kind) ?? KINDS[kind].enabledByDefault,
      changed: Object.keys(own).length > 0,
      editable: isEditable(kind),
      marketing: KINDS[kind].group === 'marketing',
      languages: records.flatMap((record) => (record.language === '' ? [] : [record.language])),
      variables: listVariables(valuesOf(tenant, kind, used)),
    };
  };

  const read: TemplateDocuments['read'] = async (sql, tenant, kind, language) => {
    const stored = { records: await findTemplates(sql, tenant, kind), settings: await findSettings(sql, tenant) };
    return { mail_template: documentOf(tenant, kind, await frame(tenant, language), stored, language) };
  };

  return { exampleOf, valuesOf, documentOf, read };
};
