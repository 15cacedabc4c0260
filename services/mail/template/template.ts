// Compiles the three parts of a mail's template and renders them. A part that fails falls back to the built-in one. Pure.
import type { MailDataOf, MailKind } from '#services/mail/kind.ts';
import { builtInTemplate, type TemplateSource } from './built_in.ts';
import { openTemplateEngine, type TemplateEngine, TemplateError, type TemplateValues } from './engine.ts';
import { escapeHtml, mailPage } from './layout.ts';
import { htmlParts, textParts } from './part.ts';
import { type Phrases, phrasesOf } from './phrase.ts';
import { type MailFrame, templateValues } from './variable.ts';

export const TEMPLATE_PARTS = ['subject', 'html', 'text'] as const;
export type TemplatePart = (typeof TEMPLATE_PARTS)[number];

type Engines = Readonly<Record<TemplatePart, TemplateEngine>>;

const opened = new Map<Phrases, Engines>();

/** Returns the engines whose parts, such as `items`, are in the language. */
const enginesOf = (language: string): Engines => {
  const phrases = phrasesOf(language);
  let engines = opened.get(phrases);
  if (!engines) {
    const text = openTemplateEngine(textParts(phrases), (value) => value);
    engines = { subject: text, html: openTemplateEngine(htmlParts(phrases), escapeHtml), text };
    opened.set(phrases, engines);
  }
  return engines;
};

const SUBJECT_CHARACTERS_MAX = 250;

/** Returns one line: a subject becomes a header, in which a line break would start another one. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_CHARACTERS_MAX)
    .toWellFormed();

/** Returns the text with at most one empty line in a row. */
const plainText = (text: string): string =>
  `${text
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;

const renderPart = (
  engines: Engines,
  part: TemplatePart,
  source: string,
  values: TemplateValues,
  strict: boolean,
): string | TemplateError => {
  const compiled = engines[part].compile(source);
  return compiled instanceof TemplateError ? compiled : compiled.render(values, { strict });
};

export interface PartError {
  readonly part: TemplatePart;
  readonly error: TemplateError;
}

/** Returns the first error that the template has with these values, unknown variables included. */
export const checkTemplate = (
  source: Partial<TemplateSource>,
  values: TemplateValues,
  language: string,
): PartError | null => {
  const engines = enginesOf(language);
  for (const part of TEMPLATE_PARTS) {
    const own = source[part];
    const rendered = own === undefined ? '' : renderPart(engines, part, own, values, true);
    if (rendered instanceof TemplateError) return { part, error: rendered };
  }
  return null;
};

export interface RenderedTemplate {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export interface TemplateInput<K extends MailKind> {
  readonly kind: K;
  readonly data: MailDataOf[K];
  readonly frame: MailFrame;
  readonly unsubscribeUrl: string | null;
  /** The store's own parts; absent ones are built in. */
  readonly own: Partial<TemplateSource>;
}

/** `failed` is called for each part of the store's own that does not render. */
export const renderTemplate = <K extends MailKind>(
  { kind, data, frame, unsubscribeUrl, own }: TemplateInput<K>,
  failed: (problem: PartError) => void,
): RenderedTemplate => {
  const builtIn = builtInTemplate(kind, frame.language);
  const engines = enginesOf(frame.language);
  const values = templateValues(kind, data, frame, unsubscribeUrl);
  const partOf = (part: TemplatePart): string => {
    const source = own[part];
    const rendered = source === undefined ? null : renderPart(engines, part, source, values, false);
    if (typeof rendered === 'string') return rendered;
    if (rendered !== null) failed({ part, error: rendered });
    const fallback = renderPart(engines, part, builtIn[part], values, false);
    if (typeof fallback === 'string') return fallback;
    throw new Error(`the built-in ${part} of ${kind} does not render: ${fallback.reason}`);
  };
  const subject = oneLine(partOf('subject'));
  const label = phrasesOf(frame.language).shared.unsubscribe;
  const unsubscribe = unsubscribeUrl === null ? null : { url: unsubscribeUrl, label };
  const text = plainText(partOf('text'));
  const missesLink = unsubscribe !== null && !text.includes(unsubscribe.url);
  return {
    subject,
    html: mailPage({ language: frame.language, subject, content: partOf('html'), store: frame.store, unsubscribe }),
    text: missesLink ? `${text}\n${unsubscribe.label}: ${unsubscribe.url}\n` : text,
  };
};
