// Reads an OAuth client's request: a form, as the protocol says, or JSON with the same names.
import { type Call, type OauthError, Refusal, refuse } from '#runtime/call/call.ts';

/** Builds an OAuth error (RFC 6749, 4.1.2.1 and 5.2). */
export const oauthRefusal = (error: OauthError, description: string): Refusal =>
  refuse(error === 'invalid_client' ? 'unauthorized' : 'invalid_request', description, { oauth: error });

const FORM = 'application/x-www-form-urlencoded';
const LENGTH_MAX = 2_048;

const decoder = new TextDecoder();

export const readParameters = (text: string): Readonly<Record<string, string>> | Refusal => {
  const read: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.includes('\0') || value.includes('\0'))
      return oauthRefusal('invalid_request', `The parameter ${name.slice(0, 50).replaceAll('\0', '')} contains NUL.`);
    if (value.length > LENGTH_MAX)
      return oauthRefusal(
        'invalid_request',
        `The parameter ${name.slice(0, 50)} has more than ${LENGTH_MAX} characters. Shorten it.`,
      );
    if (name in read)
      return oauthRefusal('invalid_request', `The parameter ${name.slice(0, 50)} appears twice. Send it once.`);
    read[name] = value;
  }
  return read;
};

export const readForm = <T extends object>(call: Pick<Call, 'contentType' | 'rawBody'>, input: T): T | Refusal => {
  const text = decoder.decode(call.rawBody);
  // The edge has already validated JSON against the endpoint's schema.
  if (call.contentType !== FORM) return text === '' ? input : { ...input, ...JSON.parse(text) };
  const read = readParameters(text);
  if (read instanceof Refusal) return read;
  return { ...input, ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== '')) };
};
