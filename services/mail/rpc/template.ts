// Handlers of MailTemplate: merchants read, change and preview the templates of their mails.
import type { MailTemplateResponse, MailTemplateRpcs } from '#proto/gen/mail_template.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { isEditable, isMailKind, MAIL_KINDS, type MailKind } from '#services/mail/kind.ts';
import type { MailRenderer } from '#services/mail/renderer.ts';
import { findSettings, findTemplates } from '#services/mail/table/template.ts';
import { showsOrder } from '#services/mail/template/example.ts';
import { checkTemplate, renderTemplate } from '#services/mail/template/template.ts';
import { givenParts, openTemplateChange, type PreparedTemplate, refusalOf } from '#services/mail/template_change.ts';
import { openTemplateDocuments, unsubscribeExample } from '#services/mail/template_document.ts';
import { ownParts, templateLanguage } from '#services/mail/template_language.ts';

const notEditable = (kind: MailKind): Refusal =>
  refuse('invalid_request', `The mails ${kind} open accounts. Their template and their sending are built in.`, {
    param: 'kind',
  });

export const templateHandlers = (
  runtime: Pick<Runtime, 'clock' | 'postgres'>,
  renderer: Pick<MailRenderer, 'frame'>,
  { ask }: Pick<DomainClient, 'ask'>,
): Handlers<MailTemplateRpcs> => {
  const documents = openTemplateDocuments(runtime, renderer);
  const { exampleOf, valuesOf, documentOf, read } = documents;
  const change = openTemplateChange(runtime, renderer, documents);
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
      prepare: ({ tenant }, input): Promise<PreparedTemplate | Refusal> | Refusal => {
        const { kind } = input;
        if (!isMailKind(kind)) return notFound('mail template');
        return isEditable(kind) ? change.prepare(tenant, kind, input) : notEditable(kind);
      },
      run: async (tx, { tenant }, input, prepared): Promise<MailTemplateResponse | Refusal> => {
        const refusal = await change.save(tx, tenant, input, prepared);
        return refusal ?? read(tx.sql, tenant, prepared.kind, input.language ?? null);
      },
      undo: () => {},
    }),

    DeleteMailTemplate: staged({
      prepare: (_call, { kind }): MailKind | Refusal => {
        if (!isMailKind(kind)) return notFound('mail template');
        return isEditable(kind) ? kind : notEditable(kind);
      },
      run: async (tx, call, { language = null }, kind): Promise<MailTemplateResponse> => {
        await change.reset(tx, call.tenant, kind, language);
        return read(tx.sql, call.tenant, kind, language);
      },
      undo: () => {},
    }),

    PreviewMailTemplate: query(async (sql, call, { kind, language = null, order_id, ...parts }) => {
      if (!isMailKind(kind)) return notFound('mail template');
      const order = await orderOf(call, kind, order_id);
      if (order instanceof Refusal) return order;
      const { tenant } = call;
      const records = await findTemplates(sql, tenant, kind);
      const given = givenParts(parts);
      const [own] = (await frame(tenant, null)).languages;
      const wanted = language ?? own;
      // A draft is in the language that it is written for.
      const shown = Object.keys(given).length > 0 ? wanted : templateLanguage(records, wanted, own);
      const used = await frame(tenant, shown);
      const values = valuesOf(tenant, kind, used, order ?? undefined);
      const wrong = checkTemplate(given, values, shown);
      if (wrong) return refusalOf(wrong);
      const source = { ...ownParts(records, shown, own), ...given };
      const data = exampleOf(tenant, used, order ?? undefined)[kind];
      const unsubscribeUrl = unsubscribeExample(kind);
      return { preview: renderTemplate({ kind, data, frame: used, unsubscribeUrl, own: source }, () => {}) };
    }),
  };
};
