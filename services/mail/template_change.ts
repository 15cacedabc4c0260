// Changes a template: checks its parts and its translations, and stores the parts that differ from the built-in ones.
import { setImmediate } from 'node:timers/promises';
import type { MailTemplateTranslation, PutMailTemplateRequest } from '#proto/gen/mail_template.ts';
import { invalid, Refusal, refuse, renamed, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { replaceTranslations, translationPath } from '#services/commerce/translation.ts';
import type { Translations } from '#values/translation.ts';
import type { MailKind } from './kind.ts';
import type { MailRenderer, StoreFrame } from './renderer.ts';
import {
  deleteTemplates,
  deleteTranslations,
  findTemplates,
  type KindSetting,
  lockSetting,
  saveSetting,
  saveTemplate,
  type TemplateRecord,
} from './table/template.ts';
import { builtInTemplate, type TemplateSource } from './template/built_in.ts';
import { checkTemplate, type PartError } from './template/template.ts';
import { changedAt, type TemplateDocuments } from './template_document.ts';
import { OWN, translationsOf } from './template_language.ts';

/** Time for checking all translations of a request. */
const CHECK_MS_MAX = 3_000;

type Given = Translations<MailTemplateTranslation> | null | undefined;

export interface PreparedTemplate {
  readonly kind: MailKind;
  readonly used: StoreFrame;
  /** All translations after the request; undefined if it changes none. */
  readonly translations: Given;
}

/** `path` leads to the template in the request. */
export const refusalOf = ({ part, error: { line, column, reason } }: PartError, path = ''): Refusal =>
  refuse('invalid_request', `Line ${line} of the template's ${part} is wrong: ${reason}.`, {
    param: `${path}${part}`,
    details: `line ${line}, column ${column}`,
    hint: 'GET /v1/mail-templates/{kind} lists the variables.',
  });

type Parts = { readonly [P in keyof TemplateSource]?: string | null | undefined };

/** Returns the parts of the request that are given; null and absent parts are the current ones. */
export const givenParts = ({ subject, html, text }: Parts) => ({
  ...(subject != null && { subject }),
  ...(html != null && { html }),
  ...(text != null && { text }),
});

const recordOf = (
  kind: MailKind,
  language: string,
  builtIn: TemplateSource,
  parts: Parts,
  now: Date,
): TemplateRecord => {
  const changed = (part: keyof TemplateSource): string | null => {
    const own = parts[part];
    return own == null || own === builtIn[part] ? null : own;
  };
  return {
    kind,
    language,
    subject: changed('subject'),
    html: changed('html'),
    text: changed('text'),
    updated_at: now,
  };
};

const save = async (tx: Transaction, tenant: Tenant, record: TemplateRecord): Promise<void> => {
  const isBuiltIn = record.subject === null && record.html === null && record.text === null;
  if (isBuiltIn) await deleteTemplates(tx.sql, tenant, record.kind, record.language);
  else await saveTemplate(tx.sql, tenant, record);
};

export interface TemplateChange {
  prepare(tenant: Tenant, kind: MailKind, input: PutMailTemplateRequest): Promise<PreparedTemplate | Refusal>;
  /** Refuses if the request names an earlier version. */
  save(
    tx: Transaction,
    tenant: Tenant,
    input: PutMailTemplateRequest,
    prepared: PreparedTemplate,
  ): Promise<Refusal | null>;
  /** Puts built-in templates in place: in one language, or in all with the sending. */
  reset(tx: Transaction, tenant: Tenant, kind: MailKind, language: string | null): Promise<void>;
}

interface LockedKind extends KindSetting {
  readonly updated_at: Date;
}

const lockKind = async (tx: Transaction, tenant: Tenant, kind: MailKind): Promise<LockedKind> => {
  const setting = await lockSetting(tx.sql, tenant, kind);
  return { ...setting, updated_at: changedAt(setting, await findTemplates(tx.sql, tenant, kind)) };
};

export const openTemplateChange = (
  { postgres }: Pick<Runtime, 'postgres'>,
  { frame }: Pick<MailRenderer, 'frame'>,
  { valuesOf }: Pick<TemplateDocuments, 'valuesOf'>,
): TemplateChange => {
  const checkTranslations = async (tenant: Tenant, kind: MailKind, given: Given): Promise<Refusal | null> => {
    const started = performance.now();
    for (const [language, parts] of Object.entries(given ?? {})) {
      const used = await frame(tenant, language);
      const path = `${translationPath('translations', language)}.`;
      const wrong = checkTemplate(givenParts(parts), valuesOf(tenant, kind, used), language);
      if (wrong) return refusalOf(wrong, path);
      if (performance.now() - started > CHECK_MS_MAX)
        return invalid('translations', 'The translations take too long to render. Make their loops shorter.');
      // Other calls continue between two languages.
      await setImmediate();
    }
    return null;
  };

  /** Returns the template's translations after the request, or refuses a language that is none of the store's. */
  const translationsAfter = async (
    tenant: Tenant,
    kind: MailKind,
    { language, translations }: Pick<PutMailTemplateRequest, 'language' | 'translations'>,
    { languages }: StoreFrame,
  ): Promise<Given | Refusal> => {
    if (language == null && translations === undefined) return undefined;
    const before = translationsOf(await findTemplates(postgres.sql, tenant, kind));
    if (language == null) return replaceTranslations<MailTemplateTranslation>(before, translations, languages);
    if (translations !== undefined)
      return invalid('translations', 'Send `translations`, or one `language` with its parts, not both.');
    const known = replaceTranslations(before, { [language]: {} }, languages, 'language');
    return known instanceof Refusal ? renamed(known, () => 'language') : undefined;
  };

  return {
    prepare: async (tenant, kind, { language, translations, ...parts }) => {
      const used = await frame(tenant, language ?? null);
      const wrong = checkTemplate(givenParts(parts), valuesOf(tenant, kind, used), used.language);
      if (wrong) return refusalOf(wrong);
      const after = await translationsAfter(tenant, kind, { language, translations }, used);
      if (after instanceof Refusal) return after;
      return (await checkTranslations(tenant, kind, after)) ?? { kind, used, translations: after };
    },
    save: async (tx, tenant, input, { kind, used, translations }) => {
      const before = await lockKind(tx, tenant, kind);
      const outdated = refuseOutdated('mail template', before, input.version);
      if (outdated) return outdated;
      const now = changeTime(before, tx.clock.now(tenant));
      const builtIn = builtInTemplate(kind, used.language);
      await save(tx, tenant, recordOf(kind, input.language ?? OWN, builtIn, input, now));
      if (translations !== undefined) {
        await deleteTranslations(tx.sql, tenant, kind);
        for (const [language, parts] of Object.entries(translations ?? {}))
          await save(tx, tenant, recordOf(kind, language, builtInTemplate(kind, language), parts, now));
      }
      await saveSetting(tx.sql, tenant, kind, { enabled: input.enabled ?? before.enabled, changed_at: now });
      return null;
    },
    reset: async (tx, tenant, kind, language) => {
      const before = await lockKind(tx, tenant, kind);
      await deleteTemplates(tx.sql, tenant, kind, language);
      const enabled = language === null ? null : before.enabled;
      await saveSetting(tx.sql, tenant, kind, { enabled, changed_at: changeTime(before, tx.clock.now(tenant)) });
    },
  };
};
