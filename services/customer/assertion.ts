// Verifies assertions about a shopper's identity: tokens signed by the merchant or by an identity provider. Returns
// null for an invalid token.
import { type JWTPayload, jwtVerify } from 'jose';
import { isEmail } from '#proto/format.ts';
import type { IdentityProvider } from '#proto/gen/store.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { PublicKeys } from './public_key.ts';

export interface AssertedCustomer {
  readonly subject: string;
  readonly email: string | null;
  /** Whether the assertion proves the e-mail address; only an identity provider's does. */
  readonly provesEmail: boolean;
  /** Milliseconds for which the assertion may be cached; 0 forbids caching. */
  readonly remainingMs: number;
}

export interface Assertions {
  external(identity: GetIdentityResponse, tenant: Tenant, token: string): Promise<AssertedCustomer | null>;
  idp(identity: GetIdentityResponse, tenant: Tenant, token: string): Promise<AssertedCustomer | null>;
}

const EXTERNAL_S_MAX = 3_600;
const CLOCK_SKEW_S_MAX = 60;
const IDP_TOLERANCE_S = 5;
const VERIFIER_TIMEOUT_MS = 3_000;
const SUBJECT_LENGTH_MAX = 200;
/** Only asymmetric algorithms: a public key must not be usable as an HMAC secret. */
const PUBLIC_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const validEmail = (email: unknown): string | null => (typeof email === 'string' && isEmail(email) ? email : null);

const isFalse = (verified: unknown): boolean => verified === false || verified === 'false';

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const validSubject = (subject: unknown): string | null =>
  typeof subject === 'string' && subject !== '' && subject.length <= SUBJECT_LENGTH_MAX && isStorable(subject)
    ? subject
    : null;

export const openAssertions = (outbound: Outbound, clock: Pick<Clock, 'real'>): Assertions => {
  const publicKeys = new PublicKeys(outbound, clock);

  const read = ({ sub, exp, email, email_verified }: JWTPayload, provesEmail: boolean): AssertedCustomer | null => {
    const subject = validSubject(sub);
    if (subject === null) return null;
    const remainingMs = Math.max(0, exp! * 1_000 - clock.real());
    return { subject, email: isFalse(email_verified) ? null : validEmail(email), provesEmail, remainingMs };
  };

  const verifyKeys = async (idp: IdentityProvider, tenant: Tenant, token: string): Promise<AssertedCustomer | null> => {
    const { payload } = await jwtVerify(token, publicKeys.of(idp.jwks_url!, tenant.environment), {
      issuer: idp.issuer!,
      audience: idp.audience!,
      algorithms: PUBLIC_ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.real()),
      clockTolerance: IDP_TOLERANCE_S,
    });
    return read(payload, true);
  };

  const askVerifier = async (
    url: string,
    secrets: readonly string[],
    { environment }: Tenant,
    token: string,
  ): Promise<AssertedCustomer | null> => {
    const body = JSON.stringify({ token });
    const signed = signatureHeaders({ secrets, id: '', body, nowMs: clock.real() });
    const answer = await outbound.send({
      url,
      environment,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-signature': signed['x-svc-signature']! },
      body,
      timeoutMs: VERIFIER_TIMEOUT_MS,
    });
    if (answer instanceof OutboundFailure || answer.status !== 200 || answer.truncated) return null;
    const reply = JSON.parse(new TextDecoder().decode(answer.body)) as Record<string, unknown> | null;
    const subject = validSubject(reply?.subject);
    // Forbids caching, so that revoking a token at the verifier takes effect at once.
    return subject === null
      ? null
      : {
          subject,
          email: isFalse(reply?.email_verified) ? null : validEmail(reply?.email),
          provesEmail: true,
          remainingMs: 0,
        };
  };

  const orNull = (verifying: Promise<AssertedCustomer | null>): Promise<AssertedCustomer | null> =>
    verifying.catch(() => null);

  return {
    external: async ({ external_auth_secret: secret }, { store }, token) => {
      if (secret === null) return null;
      const verify = async (): Promise<AssertedCustomer | null> => {
        const nowS = clock.real() / 1_000;
        const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
          audience: store,
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(clock.real()),
        });
        const from = payload.iat ?? nowS;
        const tooLong = payload.exp! - from > EXTERNAL_S_MAX;
        return tooLong || from > nowS + CLOCK_SKEW_S_MAX ? null : read(payload, false);
      };
      return orNull(verify());
    },

    idp: async ({ idp, hmac_secret, previous_hmac_secret: previous }, tenant, token) => {
      if (idp === null) return null;
      const { verifier_url: url } = idp;
      const isAccepted = previous != null && clock.real() < previous.until_ms;
      const secrets = isAccepted ? [hmac_secret, previous.secret] : [hmac_secret];
      return orNull(url ? askVerifier(url, secrets, tenant, token) : verifyKeys(idp, tenant, token));
    },
  };
};
