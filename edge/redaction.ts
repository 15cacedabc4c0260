// What of a request may be shown to its store later: everything but what opens something or pays for something. Pure.

const HIDDEN = '…';
/** Names of fields whose values are secrets, of ours, of payment providers and of carriers. */
const SECRET_NAME =
  /password|secret|token|signature|credential|authorization|key$|^otp$|^code$|^code_verifier$|gift_card|card_?number|^number$|^cv[cv]$|^cryptogram$|^pin$|^iban$|account_number/i;
/** What is a secret wherever it stands: keys, signing secrets, bearer tokens, JSON Web Tokens. */
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
 * A JSON body as text without its secrets, shortened; null where it is none. A body that cannot be read is not shown:
 * what is a secret in it cannot be told.
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

/** An error object as it was told: its fields are ours, only its words may repeat what was sent. */
export const shownError = (text: string, charactersMax: number): string =>
  shortened(text.replace(SECRET_VALUE, HIDDEN), charactersMax);

export const shownPath = (path: string): string => path.replace(SECRET_IN_PATH, `$1${HIDDEN}`);

/** Without its question mark, as `shownBody` shows a body. */
export const shownQuery = (search: string): string =>
  search
    .split('&')
    .map((part) => {
      const at = part.indexOf('=');
      if (at >= 0 && SECRET_NAME.test(part.slice(0, at))) return `${part.slice(0, at)}=${HIDDEN}`;
      return part.replace(SECRET_VALUE, HIDDEN);
    })
    .join('&');
