// Mails a challenge, and checks the origins that its link may open. For an address without an account the same rows are
// written, so that timing does not reveal whether an account exists.
import type { MailAccepted } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import { type Call, type Refusal, refuse } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { passwordFailureKey } from '#services/commerce/login_failure.ts';
import { type Mail, writeMail } from '#services/mail/transaction.ts';
import { tagOrNull } from '#values/language.ts';
import { normalEmail } from '#values/text.ts';
import { type ChallengeKind, LIFETIME_MS, type NewChallenge } from './challenge.ts';
import { deleteCodes, insertChallenge } from './table/challenge.ts';
import { findAccount } from './table/customer.ts';

type MailStore = Pick<GetIdentityResponse, 'website_url' | 'allowed_redirect_origins'>;

/**
 * Destination of the link for stores without a website: the sandbox's outbox page, which redeems the token with a
 * secret test key.
 */
const OUTBOX_PAGE = '/sandbox/outbox';

export const checkRedirect = (
  { website_url, allowed_redirect_origins }: MailStore,
  redirectTo: string | null | undefined,
): Refusal | null => {
  if (redirectTo == null) return null;
  const url = URL.parse(redirectTo);
  const own = website_url === null ? null : (URL.parse(website_url)?.origin ?? null);
  // A `blob:` address has the origin of the site in it.
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const allowed = url !== null && isWeb && url.username === '' && url.password === '';
  if (allowed && (url.origin === own || allowed_redirect_origins.includes(url.origin))) return null;
  return refuse('invalid_request', `The store does not allow redirects to ${url?.origin ?? redirectTo}.`, {
    param: 'redirect_to',
    hint: 'Use the origin of `website_url` or one of `allowed_redirect_origins`.',
  });
};

const linkTo = (store: MailStore, { redirectTo, publicUrl }: LinkDestination, token: string): string => {
  const url = new URL(redirectTo ?? store.website_url ?? `${publicUrl}${OUTBOX_PAGE}`);
  url.searchParams.set('token', token);
  return url.href;
};

interface LinkDestination {
  readonly redirectTo: string | null | undefined;
  /** Base URL of the edge, for links without another destination. */
  readonly publicUrl: string;
}

const challengeMail = (
  store: MailStore,
  kind: ChallengeKind,
  secret: string,
  destination: LinkDestination,
  reader: Pick<Mail, 'to' | 'void' | 'language'>,
): Mail => {
  const usefulMs = LIFETIME_MS[kind];
  const lifetime_minutes = usefulMs / 60_000;
  const rest = { ...reader, usefulMs, cause: null };
  if (kind === 'otp') return { ...rest, kind, data: { code: secret, lifetime_minutes }, code: secret };
  const link = linkTo(store, destination, secret);
  return { ...rest, kind, data: { link, lifetime_minutes }, link };
};

/** `email` as the caller wrote it: the response repeats its spelling. */
export interface ChallengeRequest {
  readonly email: string;
  /** The customer's own if null or absent. */
  readonly language?: string | null;
}

export const mailChallenge = async (
  { postgres, clock, settings: { publicUrl } }: Pick<Runtime, 'postgres' | 'clock' | 'settings'>,
  { tenant }: Call,
  store: GetIdentityResponse,
  { email: typed, language }: ChallengeRequest,
  challenge: NewChallenge,
  redirectTo: string | null | undefined,
): Promise<MailAccepted> => {
  const email = normalEmail(typed);
  const account = passwordFailureKey(email);
  const { kind, secret } = challenge;
  const usefulMs = LIFETIME_MS[kind];
  await postgres.transaction(async (tx) => {
    const customer = await findAccount(tx.sql, tenant, email);
    if (kind === 'otp') await deleteCodes(tx.sql, tenant, account);
    const expiresAt = new Date(clock.now(tenant).getTime() + usefulMs);
    await insertChallenge(tx.sql, tenant, account, customer?.id ?? null, challenge, expiresAt);
    const reader = {
      to: customer?.email ?? email,
      void: customer === null,
      language: tagOrNull(language) ?? customer?.language ?? null,
    };
    await writeMail(tx, tenant, challengeMail(store, kind, secret, { redirectTo, publicUrl }, reader));
  }, tenant);
  return { message: 'If an account has this address, a mail was sent to it.', email: typed };
};
