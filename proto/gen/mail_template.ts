// Generated from stoa/v1/mail_template.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** A variable of a template, by its path; `[]` stands for each element of a list. */
export type MailVariable = {
  name: string;
  example: string;
};

/** A template in another language. A part that is left out is the built-in one in that language. */
export type MailTemplateTranslation = {
  subject?: string | null;
  html?: string | null;
  text?: string | null;
};

/** A template in another language. A part that is left out is the built-in one in that language. */
export type MailTemplateTranslationInput = {
  subject?: string | null;
  html?: string | null;
  text?: string | null;
};

export type MailTemplateSource = {
  kind: string;
  /** Language of this template; null for the store's default language. */
  language: string | null;
  subject: string;
  /** Shown between the store's head and foot. */
  html: string;
  text: string;
  /** Whether mails of this kind are sent, in every language. */
  enabled: boolean;
  /** Whether the store changed a part of this template. */
  changed: boolean;
  editable: boolean;
  /** Whether its readers can unsubscribe. */
  marketing: boolean;
  /** Languages of the templates that the store changed. */
  languages: readonly string[];
  variables: readonly MailVariable[];
  /** The store's own parts in other languages. Shown where no `language` is named, where there are any. */
  translations?: Record<string, MailTemplateTranslation>;
  /** Languages of the built-in templates. */
  built_in_languages: readonly string[];
  /** When the store last changed a template of this kind, in any language, or its sending; `1970-01-01T00:00:00.000Z` if never. */
  updated_at: string;
};

export type ListMailTemplatesRequest = {
  /** Comma-separated names of a template's fields to return. */
  fields?: string;
};

export type ListMailTemplatesResponse = {
  mail_templates: readonly MailTemplateSource[];
};

export type MailTemplateResponse = {
  mail_template: MailTemplateSource;
};

export type GetMailTemplateRequest = {
  kind: string;
  language?: string;
  fields?: string;
};

export type PutMailTemplateRequest = {
  kind: string;
  language?: string | null;
  subject?: string | null;
  html?: string | null;
  text?: string | null;
  /** Left out: as it is. */
  enabled?: boolean;
  /**
   * Translations that replace the former ones, by the tag of a language among the store's `languages`. The former ones stay if
   * this is left out. The bound is 256 kB of JSON.
   */
  translations?: Record<string, MailTemplateTranslationInput | null> | null;
  /** The `updated_at` that the change is based on. If the template has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeleteMailTemplateRequest = {
  kind: string;
  language?: string;
};

export type PreviewMailTemplateRequest = {
  kind: string;
  language?: string | null;
  subject?: string | null;
  html?: string | null;
  text?: string | null;
  /** An order of the store, for kinds that show one; left out: example data. */
  order_id?: string | null;
};

export type RenderedMailTemplate = {
  subject: string;
  /** The whole document, with the store's head and foot. */
  html: string;
  text: string;
};

export type PreviewMailTemplateResponse = {
  preview: RenderedMailTemplate;
};

/**
 * Templates of the mails to shoppers, in Liquid. Each environment has its own.
 * @internal
 */
export interface MailTemplateRpcs {
  ListMailTemplates: { request: ListMailTemplatesRequest; response: ListMailTemplatesResponse };
  GetMailTemplate: { request: GetMailTemplateRequest; response: MailTemplateResponse };
  PutMailTemplate: { request: PutMailTemplateRequest; response: MailTemplateResponse };
  DeleteMailTemplate: { request: DeleteMailTemplateRequest; response: MailTemplateResponse };
  PreviewMailTemplate: { request: PreviewMailTemplateRequest; response: PreviewMailTemplateResponse };
}
