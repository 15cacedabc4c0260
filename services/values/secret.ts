// Removes secrets from JSON values before people may see them: by field name, and by form. Pure.

export const HIDDEN = '…';

const SECRET_NAME =
  /password|secret|token|signature|credential|authorization|key$|^otp$|^code$|^totp$|^recovery_code|^otpauth_uri$|^code_verifier$|gift_card|card_?number|^number$|^cv[cv]$|^cryptogram$|^pin$|^iban$|account_number/i;
/** Matches secrets by their form: API keys, signing secrets, bearer tokens, JSON Web Tokens. */
const SECRET_VALUE =
  /\b(?:svc_[a-z]{2}_(?:live|test)_|svc_cs_|whsec_|[sr]k_(?:live|test)_)[\w+/=-]+|\bbearer\s+\S+|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/gi;

/** Matches a URL's user and password, a consent page's token, and a query parameter that is named like a secret. */
const SECRET_IN_URL =
  /(?<=:\/\/)[^\s/?#@]+(?=@)|(?<=:\/\/[^\s/]+\/connect\/)[^\s/?#]+|(?<=[?&][^\s=&#]*(?:password|secret|token|signature|credential|key|code)[^\s=&#]*=)[^\s&#]+/gi;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

export const textWithoutSecrets = (text: string): string =>
  text.replace(SECRET_VALUE, HIDDEN).replace(SECRET_IN_URL, HIDDEN);

export const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null ? HIDDEN : withoutSecrets(inner),
    ]),
  );
};
