// Removes secrets from recorded requests before the store's staff may see them. Pure.

const HIDDEN = '…';
const SECRET_NAME =
  /password|secret|token|signature|credential|authorization|key$|^otp$|^code$|^totp$|^recovery_code|^otpauth_uri$|^code_verifier$|gift_card|card_?number|^number$|^cv[cv]$|^cryptogram$|^pin$|^iban$|account_number/i;
/** Matches secrets by their form: API keys, signing secrets, bearer tokens, JSON Web Tokens. */
const SECRET_VALUE =
  /\b(?:svc_[a-z]{2}_(?:live|test)_|svc_cs_|whsec_|[sr]k_(?:live|test)_)[\w+/=-]+|\bbearer\s+\S+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/gi;
const SECRET_IN_PATH = /(\/cart\/gift-cards\/|^\/connect\/)[^/]+/;

const shortened = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}${HIDDEN}` : text;

const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(SECRET_VALUE, HIDDEN);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner !== null ? HIDDEN : withoutSecrets(inner),
    ]),
  );
};

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
  shortened(text.replace(SECRET_VALUE, HIDDEN), charactersMax);

export const shownPath = (path: string): string => path.replace(SECRET_IN_PATH, `$1${HIDDEN}`);

/** Returns a query string without secrets; `search` begins after the question mark. */
export const shownQuery = (search: string): string =>
  search
    .split('&')
    .map((part) => {
      const at = part.indexOf('=');
      if (at >= 0 && SECRET_NAME.test(part.slice(0, at))) return `${part.slice(0, at)}=${HIDDEN}`;
      return part.replace(SECRET_VALUE, HIDDEN);
    })
    .join('&');
