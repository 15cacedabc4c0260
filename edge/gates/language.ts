// Chooses the language of a response among the store's: that of the parameter `language`, else the best of the header
// `Accept-Language`. A secret key without the parameter gets the default language, so that a PATCH of an answer stores no
// translation as the text itself.
import type { RequestContext } from '#edge/request_context.ts';
import type { Parameter } from '#proto/route.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { acceptedLanguage, nearestLanguage, parseLanguage } from '#values/language.ts';
import { readQuery } from './query.ts';

const LANGUAGE: readonly Parameter[] = [{ name: 'language', type: 'text' }];

/**
 * Sets the language by the query and the headers. `named` is checked by the endpoint's validator later: a text that is
 * no tag chooses the default language here.
 */
export const setLanguage = (context: RequestContext, named: unknown): void => {
  const { principal, request } = context;
  const [first, ...others] = principal?.languages ?? [];
  const tag = typeof named === 'string' ? parseLanguage(named) : null;
  if (!principal || first === undefined) {
    // The service chooses for callers without a store of their own.
    context.translation = tag ?? undefined;
    return;
  }
  context.language = first;
  if (others.length === 0) return;
  if (tag !== null) context.language = nearestLanguage(tag, principal.languages) ?? first;
  else if (principal.keyType !== 'secret')
    context.language = acceptedLanguage(request.headers.get('accept-language'), principal.languages);
  context.translation = context.language === first ? undefined : context.language;
};

/** Separates cached responses by language, and by whether they vary: only those of a store with several languages do. */
export const languageScope = ({ language, principal }: RequestContext): string =>
  `${language}${principal && principal.languages.length > 1 ? '+' : ''}`;

/** Sets the language of a GET. Returns a refusal if the query cannot be read. */
export const chooseLanguage = (context: RequestContext, search: string): Refusal | null => {
  const named: Record<string, unknown> = {};
  const isSingle = context.principal?.languages.length === 1;
  // Names may be percent-encoded.
  if (!isSingle && (search.includes('language') || search.includes('%'))) {
    const malformed = readQuery(search, LANGUAGE, named);
    if (malformed) return malformed;
  }
  setLanguage(context, named.language);
  return null;
};
