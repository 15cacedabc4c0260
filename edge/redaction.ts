// Removes secrets from recorded requests before the store's staff may see them. Pure.
import { HIDDEN, isSecretName, textWithoutSecrets, withoutSecrets } from '#values/secret.ts';

const SECRET_IN_PATH = /(\/cart\/gift-cards\/|^\/connect\/)[^/]+/;

const shortened = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}${HIDDEN}` : text;

/**
 * Returns a JSON body without secrets, cut to `charactersMax`; null if it is not JSON, because secrets are found by
 * their field names.
 */
export const shownBody = (text: string, charactersMax: number): string | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return shortened(JSON.stringify(withoutSecrets(value), null, 2), charactersMax);
};

/** Returns an error object without secrets; only values are searched, since an error's fields are Stoa's own. */
export const shownError = (text: string, charactersMax: number): string =>
  shortened(textWithoutSecrets(text), charactersMax);

export const shownPath = (path: string): string => path.replace(SECRET_IN_PATH, `$1${HIDDEN}`);

/** Returns a query string without secrets; `search` begins after the question mark. */
export const shownQuery = (search: string): string =>
  search
    .split('&')
    .map((part) => {
      const at = part.indexOf('=');
      if (at >= 0 && isSecretName(part.slice(0, at))) return `${part.slice(0, at)}=${HIDDEN}`;
      return textWithoutSecrets(part);
    })
    .join('&');
