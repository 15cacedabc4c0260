// Generated from stoa/v1/payment_provider.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

/** A provider that is connected. */
export type PaymentProvider = {
  id: string;
  provider: string;
  name: string;
  custom_provider: boolean;
  initialize_url: string | null;
  verify_url: string | null;
  /** Path of the callback, to be entered at the provider. */
  callback_path: string;
  environment: "production" | "sandbox";
  created_at: string;
};

export type ListPaymentProvidersRequest = {
  /** Page size. */
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a provider's fields to return. */
  fields?: string;
};

export type ListPaymentProvidersResponse = {
  providers: readonly PaymentProvider[];
  pagination: Pagination;
};

export type ConnectPaymentProviderRequest = {
  provider: string;
  /** Name that shoppers see. */
  name?: string;
  /** A provider of the merchant's own. */
  custom_provider?: boolean;
  /**
   * A built-in provider's: `secret_key` and `webhook_secret` of card checkout; `client_id`, `client_secret` and
   * `webhook_id` of the wallet (without the webhook's part reports are not believed, and payments settle by asking); `secret_key` of bank-africa; `consumer_key`, `consumer_secret`, `shortcode` and `passkey`
   * of mobile money, with `initiator_name` and `security_credential` where refunds are wanted.
   */
  credentials?: Record<string, string>;
  /** The merchant's endpoint that begins a payment. */
  initialize_url?: string;
  /** The merchant's endpoint that says how it stands. */
  verify_url?: string;
  /** Secret that signs the calls of both directions. */
  signing_secret?: string;
};

export type PaymentProviderResponse = {
  provider: PaymentProvider;
};

export type DisconnectPaymentProviderRequest = {
  id: string;
};
