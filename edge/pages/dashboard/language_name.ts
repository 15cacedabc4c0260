// Names of languages in the dashboard's own language. Pure.
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** Returns a text that is no tag as it is. */
export const languageName = (tag: string): string => {
  try {
    return LANGUAGES.of(tag) ?? tag;
  } catch {
    return tag;
  }
};
