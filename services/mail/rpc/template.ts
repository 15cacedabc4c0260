// Handlers of MailTemplate: merchants read, change and preview the templates of their mails.
import type { MailTemplateResponse, MailTemplateRpcs } from '#proto/gen/mail_template.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { isEditable, isMailKind, MAIL_KINDS, type MailKind } from '#services/mail/kind.ts';
import { type MailRenderer, ownParts } from '#services/mail/renderer.ts';
import {
  deleteSetting,
  deleteTemplates,
  findSettings,
  findTemplates,
  saveSetting,
  saveTemplate,
} from '#services/mail/table/template.ts';
import { builtInTemplate, DEFAULT_LANGUAGE, type TemplateSource } from '#services/mail/template/built_in.ts';
import { showsOrder } from '#services/mail/template/example.ts';
import { checkTemplate, type PartError, renderTemplate } from '#services/mail/template/template.ts';
import { openTemplateDocuments, unsubscribeExample } from '#services/mail/template_document.ts';

const refusalOf = ({ part, error: { line, column, reason } }: PartError): Refusal =>
  refuse('invalid_request', `Line ${line} of the template's ${part} is wrong: ${reason}.`, {
    param: part,
    details: `line ${line}, column ${column}`,
    hint: 'GET /v1/mail-templates/{kind} lists the variables.',
  });

const notEditable = (kind: MailKind): Refusal =>
  refuse('invalid_request', `The mails ${kind} open accounts. Their template and their sending are built in.`, {
    param: 'kind',
  });

/** Returns the parts of the request that are given; null and absent parts are the current ones. */
const givenParts = ({ subject, html, text }: { readonly [P in keyof TemplateSource]?: string | null | undefined }) => ({
  ...(subject != null && { subject }),
  ...(html != null && { html }),
  ...(text != null && { text }),
});

export const templateHandlers = (
  runtime: Pick<Runtime, 'clock'>,
  renderer: Pick<MailRenderer, 'frame'>,
  { ask }: Pick<DomainClient, 'ask'>,
): Handlers<MailTemplateRpcs> => {
  const { exampleOf, valuesOf, documentOf, read } = openTemplateDocuments(runtime, renderer);
  const { frame } = renderer;

  /** Finds the order that a preview shows; null if it shows an example. */
  const orderOf = async (
    call: Call,
    kind: MailKind,
    id: string | null | undefined,
  ): Promise<StoreOrder | Refusal | null> => {
    if (id == null) return null;
    if (!showsOrder(kind)) return refuse('invalid_request', `The mails ${kind} show no order.`, { param: 'order_id' });
    const found = await ask('Order/GetOrder', call, { id });
    return found instanceof Refusal ? notFound('order', 'order_id') : found.order;
  };

  return {
    ListMailTemplates: query(async (sql, { tenant }) => {
      const [all, settings] = [await findTemplates(sql, tenant, null), await findSettings(sql, tenant)];
      const used = await frame(tenant, null);
      return {
        mail_templates: MAIL_KINDS.map((kind) => {
          const records = all.filter((record) => record.kind === kind);
          return documentOf(tenant, kind, used, { records, settings }, null);
        }),
      };
    }),

    GetMailTemplate: query((sql, call, { kind, language = null }) =>
      isMailKind(kind) ? read(sql, call.tenant, kind, language) : notFound('mail template'),
    ),

    PutMailTemplate: staged({
      prepare: async ({ tenant }, { kind, language, ...parts }): Promise<MailKind | Refusal> => {
        if (!isMailKind(kind)) return notFound('mail template');
        if (!isEditable(kind)) return notEditable(kind);
        const used = await frame(tenant, language ?? null);
        const wrong = checkTemplate(givenParts(parts), valuesOf(tenant, kind, used));
        return wrong ? refusalOf(wrong) : kind;
      },
      run: async (tx, call, { language, subject, html, text, enabled }, kind): Promise<MailTemplateResponse> => {
        const { tenant } = call;
        const builtIn = builtInTemplate(kind, language ?? DEFAULT_LANGUAGE);
        const changed = (part: keyof TemplateSource, own: string | null | undefined): string | null =>
          own == null || own === builtIn[part] ? null : own;
        const record = {
          kind,
          language: language ?? '',
          subject: changed('subject', subject),
          html: changed('html', html),
          text: changed('text', text),
          updated_at: tx.clock.now(tenant),
        };
        if (record.subject === null && record.html === null && record.text === null)
          await deleteTemplates(tx.sql, tenant, kind, record.language);
        else await saveTemplate(tx.sql, tenant, record);
        if (enabled !== undefined) await saveSetting(tx.sql, tenant, kind, enabled);
        return read(tx.sql, tenant, kind, language ?? null);
      },
      undo: () => {},
    }),

    DeleteMailTemplate: staged({
      prepare: (_call, { kind }): MailKind | Refusal => {
        if (!isMailKind(kind)) return notFound('mail template');
        return isEditable(kind) ? kind : notEditable(kind);
      },
      run: async (tx, call, { language = null }, kind): Promise<MailTemplateResponse> => {
        await deleteTemplates(tx.sql, call.tenant, kind, language);
        if (language === null) await deleteSetting(tx.sql, call.tenant, kind);
        return read(tx.sql, call.tenant, kind, language);
      },
      undo: () => {},
    }),

    PreviewMailTemplate: query(async (sql, call, { kind, language = null, order_id, ...parts }) => {
      if (!isMailKind(kind)) return notFound('mail template');
      const order = await orderOf(call, kind, order_id);
      if (order instanceof Refusal) return order;
      const { tenant } = call;
      const used = await frame(tenant, language);
      const values = valuesOf(tenant, kind, used, order ?? undefined);
      const given = givenParts(parts);
      const wrong = checkTemplate(given, values);
      if (wrong) return refusalOf(wrong);
      const own = { ...ownParts(await findTemplates(sql, tenant, kind), language ?? ''), ...given };
      const data = exampleOf(tenant, used, order ?? undefined)[kind];
      const unsubscribeUrl = unsubscribeExample(kind);
      return { preview: renderTemplate({ kind, data, frame: used, unsubscribeUrl, own }, () => {}) };
    }),
  };
};
