// The language of a response: the one that a request names, else the one that its headers prefer.
import { describe, expect, test } from 'vitest';
import { chooseLanguage, languageScope, setLanguage } from '#edge/gates/language.ts';
import type { Principal } from '#edge/gates/principal.ts';
import { RequestContext } from '#edge/request_context.ts';

const contextOf = (
  header: string | null,
  languages: readonly string[] = ['en', 'de'],
  keyType: Principal['keyType'] = 'publishable',
): RequestContext => {
  const request = new Request('http://stoa.test/v1/products');
  if (header !== null) request.headers.set('Accept-Language', header);
  const context = new RequestContext(request, 'req_1');
  context.principal = { languages, keyType } as unknown as Principal;
  return context;
};
const chosen = ({ language, translation }: RequestContext) => [language, translation];

describe('a publishable key', () => {
  test.each([
    ['', null, 'en', undefined],
    ['', 'de-AT', 'de', 'de'],
    ['language=de', 'en', 'de', 'de'],
    ['language=en', 'de', 'en', undefined],
    ['limit=2&%6canguage=de', null, 'de', 'de'],
    ['language=de-AT', null, 'de', 'de'],
    ['language=fr', 'de', 'en', undefined],
    ['languages=de', null, 'en', undefined],
  ])('gets with the query %j and the header %j: %s', (search, header, language, translation) => {
    const context = contextOf(header);
    expect(chooseLanguage(context, search)).toBeNull();
    expect(chosen(context)).toEqual([language, translation]);
  });

  test('refuses a repeated and a badly encoded language', () => {
    expect(chooseLanguage(contextOf(null), 'language=de&language=en')?.extra.param).toBe('language');
    expect(chooseLanguage(contextOf(null), 'language=%E0')?.extra.param).toBe('language');
  });

  test('gets the only language of a store that has one', () => {
    const context = contextOf('de', ['sw']);
    chooseLanguage(context, 'language=de');
    expect(chosen(context)).toEqual(['sw', undefined]);
  });
});

test('gives a secret key the default language unless it names another', () => {
  const context = contextOf('de', ['en', 'de'], 'secret');
  setLanguage(context, undefined);
  expect(chosen(context)).toEqual(['en', undefined]);
  setLanguage(context, 'de');
  expect(chosen(context)).toEqual(['de', 'de']);
});

test('leaves the choice to the service for callers without a store’s languages', () => {
  const context = contextOf('de', [], 'operator');
  setLanguage(context, 'DE');
  expect(chosen(context)).toEqual([null, 'de']);
});

test('separates cached responses by language and by whether they vary', () => {
  const scopes = (['en', 'de'] as const).flatMap((language) =>
    [['en'], ['en', 'de']].map((languages) => {
      const context = contextOf(null, languages);
      context.language = language;
      return languageScope(context);
    }),
  );
  expect(new Set(scopes).size).toBe(4);
});
