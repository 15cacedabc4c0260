// Renders stored mails with the store's templates, its branding and its language.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { otherLanguage } from '#values/language.ts';
import { KINDS, type MailDataOf, type MailKind } from './kind.ts';
import type { MailRow } from './table/message.ts';
import { findTemplates } from './table/template.ts';
import { DEFAULT_LANGUAGE } from './template/phrase.ts';
import { type RenderedTemplate, renderTemplate } from './template/template.ts';
import type { MailFrame, MailStore } from './template/variable.ts';
import { ownParts, templateLanguage } from './template_language.ts';
import { type MailContent, mailContext } from './transaction.ts';
import { unsubscribeUrl } from './unsubscription.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly link: string | null;
  readonly code: string | null;
  readonly sender: { readonly name: string; readonly replyTo: string | null };
  /** Address that unsubscribes the reader; null unless the mail is marketing. */
  readonly unsubscribeUrl: string | null;
}

/** The fields of a store's profile that mails use. */
export type MailProfile = MailStore & Pick<GetProfileResponse, 'currency' | 'languages'>;

export interface StoreFrame extends MailFrame {
  readonly currency: string;
  /** The store's, its default one first. */
  readonly languages: readonly [string, ...string[]];
}

export interface MailRenderer {
  render(row: MailRow): Promise<RenderedMail>;
  /** In a language; null for the store's default one. */
  frame(tenant: Tenant, language: string | null): Promise<StoreFrame>;
}

export interface RendererParts extends Pick<Runtime, 'postgres' | 'seal' | 'log'> {
  readonly settings: Pick<Runtime['settings'], 'publicUrl'>;
  readonly profiles: Pick<StoreProfiles<MailProfile>, 'get'>;
}

export const openRenderer = ({ postgres, seal, settings, log, profiles }: RendererParts): MailRenderer => {
  const frame: MailRenderer['frame'] = async (tenant, language) => {
    const store = await profiles.get(tenant);
    const [own = DEFAULT_LANGUAGE, ...others] = store.languages;
    return {
      store,
      publicUrl: settings.publicUrl,
      language: language ?? own,
      languages: [own, ...others],
      currency: store.currency,
    };
  };

  const renderKind = async <K extends MailKind>(
    tenant: Tenant,
    kind: K,
    { data, language }: MailContent,
    unsubscribe: string | null,
  ): Promise<{ readonly rendered: RenderedTemplate; readonly used: MailFrame }> => {
    const records = await findTemplates(postgres.sql, tenant, kind);
    const store = await frame(tenant, null);
    const [own] = store.languages;
    const wanted = otherLanguage(language ?? undefined, store.languages) ?? own;
    const used = { ...store, language: templateLanguage(records, wanted, own) };
    const rendered = renderTemplate(
      {
        kind,
        data: data as MailDataOf[K],
        frame: used,
        unsubscribeUrl: unsubscribe,
        own: ownParts(records, used.language, own),
      },
      ({ part, error: { line, reason } }) =>
        log.warn(
          { store: tenant.store, kind, part, line, reason },
          'failed to render a template; used the built-in one',
        ),
    );
    return { rendered, used };
  };

  return {
    frame,
    render: async (row) => {
      const content = JSON.parse(seal.open(row.content, mailContext(row, row.id))) as MailContent;
      const { kind, recipient } = row;
      const isMarketing = KINDS[kind].group === 'marketing';
      const unsubscribe = isMarketing ? unsubscribeUrl({ seal, settings }, row, recipient) : null;
      const { rendered, used } = await renderKind(row, kind, content, unsubscribe);
      const { name, contact_email: replyTo } = used.store;
      const { link, code } = content;
      return { ...rendered, link, code, sender: { name, replyTo }, unsubscribeUrl: unsubscribe };
    },
  };
};
