// Generated from stoa/v1/customer.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address } from './shared.ts';

/** A customer of a store. */
export type Customer = {
  id: string;
  /** The merchant's own name for the customer. */
  external_id: string | null;
  /** Unicode NFC, lower-case. */
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  /** Customer group whose price lists apply. Only the merchant sets it. */
  group: string | null;
  addresses: readonly Address[];
  metadata: Record<string, string>;
  created_at: string;
  updated_at: string;
  /** Language as a BCP 47 tag, in which mails to the customer are written; null: the store's default one. */
  language: string | null;
};

/** Tokens of a customer who is signed in. */
export type CustomerSession = {
  /** Sent in `x-auth-token`; lives one hour. */
  access_token: string;
  /** Good for one refresh; lives 30 days. */
  refresh_token: string;
  /** When the access token ends. */
  expires_at: string;
};

export type SignedIn = {
  customer: Customer;
  session: CustomerSession;
};

export type RegisterRequest = {
  email: string;
  password: string;
  first_name?: string | null;
  last_name?: string | null;
  phone?: string | null;
  /** Language of the customer as a BCP 47 tag, such as `de`. Mails are in the nearest of the store's languages. */
  language?: string | null;
  /** `User-Agent` of the shopper's browser, which the store's staff see with the session. */
  device?: string;
};

export type LoginRequest = {
  email: string;
  password: string;
  /** `User-Agent` of the shopper's browser, which the store's staff see with the session. */
  device?: string;
};

export type RefreshRequest = {
  refresh_token: string;
  /** `User-Agent` of the shopper's browser, which the store's staff see with the session. */
  device?: string;
};

export type SendMagicLinkRequest = {
  email: string;
  /** URL of the link; the store's website when left out. */
  redirect_to?: string | null;
  /** Language of the mail as a BCP 47 tag; the customer's `language` when left out. */
  language?: string | null;
};

/** The same answer for every address, with an account or without. */
export type MailAccepted = {
  message: string;
  /** The address of the request. */
  email: string;
};

export type VerifyMagicLinkRequest = {
  /** The link's query parameter `token`. */
  token: string;
  /** A session of the account: who holds it and the link is its owner. */
  session_token?: string;
  /** `User-Agent` of the shopper's browser, which the store's staff see with the session. */
  device?: string;
};

export type SendOtpRequest = {
  email: string;
  /** Language of the mail as a BCP 47 tag; the customer's `language` when left out. */
  language?: string | null;
};

export type VerifyOtpRequest = {
  email: string;
  code: string;
  /** A session of the account: who holds it and the code is its owner. */
  session_token?: string;
  /** `User-Agent` of the shopper's browser, which the store's staff see with the session. */
  device?: string;
};

export type ResetPasswordRequest = {
  email: string;
  /** URL of the link; the store's website when left out. */
  redirect_to?: string | null;
  /** Language of the mail as a BCP 47 tag; the customer's `language` when left out. */
  language?: string | null;
};

export type ConfirmResetRequest = {
  /** The link's query parameter `token`. */
  token: string;
  password: string;
};

export type PasswordChanged = {
  message: string;
};

export type UpdatePasswordRequest = {
  current_password: string;
  new_password: string;
};

export type LogoutRequest = Record<never, never>;

export type LogoutResponse = {
  logged_out: boolean;
};

export type GetMeRequest = {
  /** Comma-separated names of the customer's fields to return. */
  fields?: string;
};

export type GetMeResponse = {
  customer: Customer;
};

/**
 * How a shopper signs in and out, through the store's server.
 * @internal
 */
export interface AuthRpcs {
  Register: { request: RegisterRequest; response: SignedIn };
  Login: { request: LoginRequest; response: SignedIn };
  Refresh: { request: RefreshRequest; response: SignedIn };
  Logout: { request: LogoutRequest; response: LogoutResponse };
  GetMe: { request: GetMeRequest; response: GetMeResponse };
  SendMagicLink: { request: SendMagicLinkRequest; response: MailAccepted };
  VerifyMagicLink: { request: VerifyMagicLinkRequest; response: SignedIn };
  SendOtp: { request: SendOtpRequest; response: MailAccepted };
  VerifyOtp: { request: VerifyOtpRequest; response: SignedIn };
  ResetPassword: { request: ResetPasswordRequest; response: MailAccepted };
  ConfirmReset: { request: ConfirmResetRequest; response: PasswordChanged };
  UpdatePassword: { request: UpdatePasswordRequest; response: PasswordChanged };
}
