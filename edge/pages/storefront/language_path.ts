// Languages in the shop's addresses: pages in the store's default language have no prefix, all others begin with theirs, as
// in `/de/products`. Pure.

/** The store's languages, as its profile names them. */
export interface ShopLanguages {
  readonly language: string;
  /** Without `language`. */
  readonly languages: readonly string[];
}

/** Longer or shorter than every screen's name. */
const PREFIX = /^\/([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)(?=[/?]|$)/;

interface PrefixedPath {
  /** Tag at the beginning of the path; null without one. */
  readonly language: string | null;
  readonly path: string;
}

/** `path` is the path and query within the shop. */
export const splitLanguage = (path: string): PrefixedPath => {
  const language = PREFIX.exec(path)?.[1] ?? null;
  if (language === null) return { language, path };
  const rest = path.slice(language.length + 1);
  return { language, path: rest.startsWith('/') ? rest : `/${rest}` };
};

/** Returns the path within the shop of a page in a language; empty for the first page in the default language. */
export const languagePath = ({ language: own }: ShopLanguages, language: string, path: string): string => {
  const rest = path.startsWith('/?') ? path.slice(1) : path === '/' ? '' : path;
  return language === own ? rest : `/${language}${rest}`;
};

/** Stands for visitors whose language the store does not have. */
const EVERYBODY_ELSE = 'x-default';

export interface Alternate {
  readonly language: string;
  readonly path: string;
}

/** Returns the paths of a page in all of the store's languages; empty if it has one. */
export const alternatesOf = (store: ShopLanguages, path: string): readonly Alternate[] => {
  const { language: own, languages } = store;
  if (languages.length === 0) return [];
  const inLanguages = [own, ...languages].map((language) => ({ language, path: languagePath(store, language, path) }));
  return [...inLanguages, { language: EVERYBODY_ELSE, path: languagePath(store, own, path) }];
};
