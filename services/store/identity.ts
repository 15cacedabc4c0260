// Validates the sign-in settings of an environment: the origins that mailed links may open, and the identity provider.
import type { IdentityProvider, IdentityProviderInput } from '#proto/gen/store.ts';
import { type Environment, type Refusal, refuse } from '#runtime/call/call.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';

export const readOrigins = (texts: readonly string[]): string[] | Refusal => {
  const origins = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const url = URL.parse(text);
    const web = url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '';
    if (!web || url.href !== `${url.origin}/`) {
      return refuse(
        'invalid_request',
        `${text} is no origin. Send a scheme, a host and an optional port, as in https://shop.example.`,
        {
          param: `allowed_redirect_origins[${index}]`,
        },
      );
    }
    origins.add(url.origin);
  }
  return [...origins];
};

export const readIdentityProvider = (
  input: IdentityProviderInput,
  environment: Environment,
  allowLocal: boolean,
): IdentityProvider | Refusal => {
  const { verifier_url, issuer, jwks_url, audience } = input;
  const named = [issuer, jwks_url, audience].filter((value) => value !== undefined).length;
  if (verifier_url === undefined ? named !== 3 : named !== 0) {
    return refuse('invalid_request', 'Send either verifier_url alone, or issuer, jwks_url and audience together.', {
      param: 'idp',
    });
  }
  const name = verifier_url === undefined ? 'jwks_url' : 'verifier_url';
  const problem = checkUrl(verifier_url ?? jwks_url!, environment, { allowLocal });
  if (typeof problem === 'string') return refuse('invalid_request', problem, { param: `idp.${name}` });
  return verifier_url === undefined ? { issuer: issuer!, jwks_url: jwks_url!, audience: audience! } : { verifier_url };
};
