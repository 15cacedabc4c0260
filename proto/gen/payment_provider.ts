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
   * A built-in provider's: `secret_key`, `webhook_secret` and `publishable_key` of card checkout, the last for card fields on
   * the shop's own page; `client_id`, `client_secret` and
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

/** Parameters with which the shop's page mounts the card fields. */
export type PaymentElement = {
  /** `stripe`: Stripe's Payment Element, by its library. `simulator`: the script at `script_url`, of the same shape. */
  provider: "stripe" | "simulator";
  /** For the shopper's page alone; never to be logged or put into a URL. */
  client_secret: string;
  /** Null in the simulator. */
  publishable_key: string | null;
  /** Null where the library loads its own script. */
  script_url: string | null;
};

/** @internal */
export type ReceiveCallbackRequest = {
  provider: string;
  store_id: string;
  environment: "production" | "sandbox";
  /** Which payment it is about, where its address was made for one. */
  reference?: string;
  token?: string;
  stripe_signature?: string;
  paystack_signature?: string;
  paypal_transmission_id?: string;
  paypal_transmission_time?: string;
  paypal_transmission_sig?: string;
  paypal_cert_url?: string;
  paypal_auth_algo?: string;
  svc_signature?: string;
};

/** @internal */
export type ReceiveCallbackResponse = {
  received: boolean;
};
