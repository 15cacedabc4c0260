// Generated from stoa/v1/payment_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { PaymentState } from './payment.ts';

/** @internal */
export type GiveBackPart = {
  payment_id: string;
  /** In the currency's smallest unit. */
  amount: number;
};

/** @internal */
export type GiveBackRequest = {
  order_id: string;
  refund_id: string;
  parts: readonly GiveBackPart[];
  reason?: string | null;
};

/** @internal */
export type GiveBackResponse = {
  status: "pending" | "succeeded" | "failed";
};

/** @internal */
export type IssuePaymentTokenRequest = {
  checkout_intent_id: string;
  /** The most that it may pay, in major units. */
  max_amount: number;
  currency: string;
  expires_at: string;
  /** Whether its card is to be declined. */
  declines?: boolean;
};

/** @internal */
export type IssuePaymentTokenResponse = {
  /** Shown this once. */
  token: string;
  created_at: string;
  expires_at: string;
};

/** @internal */
export type AuthorizeTokenRequest = {
  payment_id: string;
  token: string;
  checkout_intent_id: string;
  amount: number;
  currency: string;
  /** The same id at each retry, even if the amount due has changed. */
  completion: string;
};

/** @internal */
export type AuthorizeTokenResponse = {
  payment_id: string;
};

/** @internal */
export type NamePaymentRequest = {
  payment_id: string;
};

/** @internal */
export type ReleaseTokenResponse = Record<never, never>;

/**
 * Payment tokens: what a buyer gave an assistant to pay one checkout with.
 * @internal
 */
export interface PaymentTokenRpcs {
  IssueToken: { request: IssuePaymentTokenRequest; response: IssuePaymentTokenResponse };
  AuthorizeToken: { request: AuthorizeTokenRequest; response: AuthorizeTokenResponse };
  ReleaseToken: { request: NamePaymentRequest; response: ReleaseTokenResponse };
  SettleToken: { request: NamePaymentRequest; response: PaymentState };
}

/**
 * Refunds through payment providers, as orders request them.
 * @internal
 */
export interface PaymentDirectoryRpcs {
  GiveBack: { request: GiveBackRequest; response: GiveBackResponse };
}
