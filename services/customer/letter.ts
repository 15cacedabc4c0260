// The mails that customers are sent: where their links lead, and their words.
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { MailContent } from '#services/commerce/mail.ts';
import { type ChallengeKind, LIFETIME_MS } from './challenge.ts';

type LetterStore = Pick<GetIdentityResponse, 'name' | 'contact_email' | 'website_url' | 'allowed_redirect_origins'>;

/** The page that mail leads to where a store names none: its own secret test key redeems what the link carries. */
const OWN_PAGE = '/sandbox/outbox';

/** Only where the store says that its shoppers may be sent: contract 6, "redirect_to". */
export const checkRedirect = (
  { website_url, allowed_redirect_origins }: LetterStore,
  redirectTo: string | null | undefined,
): Refusal | null => {
  if (redirectTo == null) return null;
  const url = URL.parse(redirectTo);
  const own = website_url === null ? null : (URL.parse(website_url)?.origin ?? null);
  const allowed = url !== null && url.username === '' && url.password === '';
  if (allowed && (url.origin === own || allowed_redirect_origins.includes(url.origin))) return null;
  return refuse('invalid_request', 'The store does not send its shoppers there.', {
    param: 'redirect_to',
    hint: 'Its origin is that of `website_url` or one of `allowed_redirect_origins`.',
  });
};

/** Where a link leads: where the caller says, else to the store's website, else to a page of our own. */
const linkTo = (shop: LetterStore, { redirectTo, publicUrl }: LinkDestination, token: string): string => {
  const url = new URL(redirectTo ?? shop.website_url ?? `${publicUrl}${OWN_PAGE}`);
  url.searchParams.set('token', token);
  return url.href;
};

const minutes = (kind: ChallengeKind): number => LIFETIME_MS[kind] / 60_000;

export interface LinkDestination {
  readonly redirectTo: string | null | undefined;
  /** The edge's address, where a link leads that has nowhere else to go. */
  readonly publicUrl: string;
}

/** The mail that tells a customer their challenge. */
export const letterOf = (
  shop: LetterStore,
  kind: ChallengeKind,
  secret: string,
  destination: LinkDestination,
): MailContent => {
  const sender = { name: shop.name, replyTo: shop.contact_email };
  const ignore = 'If you did not ask for this, you can ignore this mail.';
  if (kind === 'otp') {
    const text = `Your code for ${shop.name} is ${secret}.\n\nIt is good once, for ${minutes(kind)} minutes. ${ignore}\n`;
    return { subject: `${secret} is your code for ${shop.name}`, text, link: null, code: secret, sender };
  }
  const link = linkTo(shop, destination, secret);
  const [subject, invitation] =
    kind === 'magic_link'
      ? [`Sign in to ${shop.name}`, `Open this link to sign in to ${shop.name}:`]
      : [`Your password at ${shop.name}`, `Open this link to choose a new password at ${shop.name}:`];
  const text = `${invitation}\n\n${link}\n\nIt is good once, for ${minutes(kind)} minutes. ${ignore}\n`;
  return { subject, text, link, code: null, sender };
};
