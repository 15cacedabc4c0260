// Interface of payment providers: open a session, query its status, refund, read callbacks.
import type { Environment } from '#runtime/call/call.ts';
import type { Currency } from '#values/currency.ts';

export interface ProviderAccount {
  readonly environment: Environment;
  readonly credentials: Readonly<Record<string, string>>;
  readonly initializeUrl: string | null;
  readonly verifyUrl: string | null;
}

export interface PaymentOpening {
  /** Sent to the provider as its idempotency key: unique to the payment and equal in every try. */
  readonly id: string;
  readonly reference: string;
  readonly provider: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: Currency;
  /** True if the amount is only authorised, to be captured later. */
  readonly isManual: boolean;
  /** True if the shopper pays on the shop's page, with the provider's card fields. */
  readonly isElement: boolean;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly callbackUrl: string | null;
  /** Public URL of this service, without a trailing slash. */
  readonly baseUrl: string;
  readonly reportUrl: string;
  readonly now: Date;
}

/** Parameters with which the shop's page mounts the provider's card fields. */
export interface CardElement {
  readonly provider: 'stripe' | 'simulator';
  readonly clientSecret: string;
  readonly publishableKey: string | null;
  readonly scriptUrl: string | null;
}

export interface OpenedSession {
  readonly sessionId: string;
  readonly checkoutUrl: string | null;
  readonly expiresAt: Date;
  readonly element?: CardElement;
}

export interface PaymentQuery {
  readonly id: string;
  readonly reference: string;
  readonly sessionId: string;
  readonly chargeId: string | null;
  readonly amount: number;
  readonly currency: Currency;
  readonly isManual: boolean;
  readonly expiresAt: Date;
  readonly now: Date;
  /** True if a report differed from the amount due; an answer without an amount then does not count as matching. */
  readonly needsReview: boolean;
}

export interface ProviderStatus {
  readonly status: 'pending' | 'authorized' | 'succeeded' | 'failed' | 'expired' | 'voided';
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly chargeId?: string | undefined;
  /** When an authorisation lapses, if the provider tells. */
  readonly captureBefore?: Date | undefined;
  readonly failure?: string | undefined;
}

export interface RefundInstruction {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  /** True if an earlier try with unknown outcome may have reached the provider. */
  readonly isRetry: boolean;
  readonly reportUrl: string;
}

export interface ProviderRefundStatus {
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly providerRefund: string | null;
}

export interface Callback {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly reference: string | null;
  readonly token: string | null;
  readonly nowMs: number;
}

export type PaymentName =
  | { readonly reference: string }
  | { readonly sessionId: string }
  | { readonly chargeId: string };

export type ProviderReport =
  | { readonly kind: 'payment'; readonly of: PaymentName; readonly providerStatus: ProviderStatus }
  | { readonly kind: 'look'; readonly of: PaymentName }
  | {
      readonly kind: 'refund';
      readonly of: PaymentName;
      readonly id: string | null;
      readonly providerRefund: string | null;
      readonly amount: number | null;
      readonly currency: string | null;
      readonly status: ProviderRefundStatus['status'];
    }
  | { readonly kind: 'nothing' };

/** The provider refused the request and did nothing. */
export class ProviderDenial {
  readonly reason: 'declined' | 'invalid' | 'credentials' | 'unsupported';
  /** Message for the caller; never the provider's own, which may contain secrets. */
  readonly message: string;
  readonly providerCode: string;

  constructor(why: ProviderDenial['reason'], message: string, word = '') {
    this.reason = why;
    this.message = message;
    this.providerCode = word;
  }
}

/** The provider gave no usable answer, so the outcome is unknown. A retry must use the same id. */
export class ProviderFault extends Error {
  readonly provider: string;
  readonly problem: string;

  constructor(provider: string, what: string) {
    super(`${provider}: ${what}`);
    this.name = 'ProviderTrouble';
    this.provider = provider;
    this.problem = what;
  }
}

/** The provider cannot have started anything. */
export class ProviderNotReached extends ProviderFault {
  constructor({ provider, problem }: Pick<ProviderFault, 'provider' | 'problem'>) {
    super(provider, problem);
    this.name = 'NotReached';
  }
}

/** The provider rejected this account's credentials; another account of the merchant may be accepted. */
export class CredentialsRejected extends ProviderNotReached {
  constructor(provider: string) {
    super({ provider, problem: 'credentials refused' });
    this.name = 'NotLetIn';
  }
}

/**
 * Ends authorisations. Both answer the payment's status after the call, also where an earlier try or the provider's own
 * dashboard has ended it. A denial leaves the authorisation as it was.
 */
export interface AuthorizationEnds {
  capture(
    account: ProviderAccount,
    payment: PaymentQuery,
    amount: number,
    timeoutMs: number,
  ): Promise<ProviderStatus | ProviderDenial>;
  release(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<ProviderStatus | ProviderDenial>;
}

export interface ProviderAdapter {
  readonly name: string;
  readonly label: string;
  readonly type: 'redirect' | 'push';
  readonly currencies: readonly string[];
  readonly countries: readonly string[];
  readonly credentials: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** Returns the first credential that does not belong to `environment`; null if all fit. */
  wrongEnvironmentCredential(credentials: ProviderAccount['credentials'], environment: Environment): string | null;
  open(account: ProviderAccount, opening: PaymentOpening, timeoutMs: number): Promise<OpenedSession | ProviderDenial>;
  fetchStatus(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<ProviderStatus>;
  /** Absent where the provider has no card fields for a shop's page. `credential` is the one that they need. */
  readonly element?: { readonly library: 'stripe'; readonly credential: string };
  /** Absent where the provider cannot authorise a payment and capture it later. */
  readonly authorizations?: AuthorizationEnds;
  cancelSession?(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<boolean>;
  /**
   * Returns a denial only if neither this try nor an earlier one refunded anything. If the denial's reason is
   * `credentials`, the outcome of earlier tries is unknown.
   */
  refund(
    account: ProviderAccount,
    payment: PaymentQuery,
    refund: RefundInstruction,
    timeoutMs: number,
  ): Promise<ProviderRefundStatus | ProviderDenial>;
  readCallback(account: ProviderAccount, callback: Callback, timeoutMs: number): Promise<ProviderReport | null>;
}

export const BUILT_IN = ['card_checkout', 'wallet', 'bank_africa', 'mobile_money'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];
export const isBuiltIn = (name: string): name is BuiltIn => (BUILT_IN as readonly string[]).includes(name);
