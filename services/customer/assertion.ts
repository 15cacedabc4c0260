// Who another system says a shopper is: the merchant's own signed word, or an identity provider's. What is not surely
// right names no shopper (contract 6, "Accounts").
import { type JWTPayload, jwtVerify } from 'jose';
import { isEmail } from '#proto/format.ts';
import type { IdentityProvider } from '#proto/gen/store.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { PublicKeys } from './public_key.ts';

/** A shopper as another system knows them. */
export interface AssertedCustomer {
  readonly subject: string;
  /** Null where none is told, or none that they have proved to be theirs. */
  readonly email: string | null;
  /** Whether the assertion proves the address: an identity provider's does, the merchant's own does not. */
  readonly proves: boolean;
  /** For how long that holds; 0: it is asked again each time. */
  readonly remainingMs: number;
}

export interface Assertions {
  /** `x-external-auth`: HS256 under the store's own secret. */
  external(identity: GetIdentityResponse, tenant: Tenant, token: string): Promise<AssertedCustomer | null>;
  /** `x-idp-token`: the store's verifier, or its issuer's public keys. */
  idp(identity: GetIdentityResponse, tenant: Tenant, token: string): Promise<AssertedCustomer | null>;
}

/** "a JWT of at most one hour" */
const EXTERNAL_S_MAX = 3_600;
/** The merchant's clock may be somewhat ahead of ours. */
const AHEAD_S_MAX = 60;
const IDP_TOLERANCE_S = 5;
const VERIFIER_TIMEOUT_MS = 3_000;
const SUBJECT_LENGTH_MAX = 200;
/** A provider that publishes keys signs with the private ones: never with a secret that both sides know. */
const PUBLIC_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** One that could register with us: an account has no other. */
const emailOf = (email: unknown): string | null => (typeof email === 'string' && isEmail(email) ? email : null);

/** Some providers tell claims as text. */
const isDenied = (verified: unknown): boolean => verified === false || verified === 'false';

/** Of two names that the database cannot keep apart, or at all, none is taken. */
const isKept = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const subjectOf = (subject: unknown): string | null =>
  typeof subject === 'string' && subject !== '' && subject.length <= SUBJECT_LENGTH_MAX && isKept(subject)
    ? subject
    : null;

export const openAssertions = (outbound: Outbound, clock: Pick<Clock, 'real'>): Assertions => {
  const publicKeys = new PublicKeys(outbound, clock);

  const read = ({ sub, exp, email, email_verified }: JWTPayload, proves: boolean): AssertedCustomer | null => {
    const subject = subjectOf(sub);
    if (subject === null) return null;
    const remainingMs = Math.max(0, exp! * 1_000 - clock.real());
    return { subject, email: isDenied(email_verified) ? null : emailOf(email), proves, remainingMs };
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
    secret: string,
    { environment }: Tenant,
    token: string,
  ): Promise<AssertedCustomer | null> => {
    const body = JSON.stringify({ token });
    const signed = signatureHeaders({ secrets: [secret], id: '', body, nowMs: clock.real() });
    const answer = await outbound.send({
      url,
      environment,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-signature': signed['x-svc-signature']! },
      body,
      timeoutMs: VERIFIER_TIMEOUT_MS,
    });
    if (answer instanceof OutboundFailure || answer.status !== 200 || answer.truncated) return null;
    const told = JSON.parse(new TextDecoder().decode(answer.body)) as Record<string, unknown> | null;
    const subject = subjectOf(told?.subject);
    // The verifier is asked each time: a token that it does not want any more is over at once.
    return subject === null
      ? null
      : { subject, email: isDenied(told?.email_verified) ? null : emailOf(told?.email), proves: true, remainingMs: 0 };
  };

  /** Whatever is wrong with a token: no shopper stands behind it. */
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
        return tooLong || from > nowS + AHEAD_S_MAX ? null : read(payload, false);
      };
      return orNull(verify());
    },

    idp: async ({ idp, hmac_secret }, tenant, token) => {
      if (idp === null) return null;
      const { verifier_url: url } = idp;
      return orNull(url ? askVerifier(url, hmac_secret, tenant, token) : verifyKeys(idp, tenant, token));
    },
  };
};
