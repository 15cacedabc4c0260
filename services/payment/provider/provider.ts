// What payments ask of any provider: begin a payment, say how it stands, give money back, read its reports.
import type { Environment } from '#runtime/call/call.ts';
import type { Currency } from '#values/currency.ts';

/** An account at a provider, unsealed for the length of one call. */
export interface ProviderAccount {
  readonly environment: Environment;
  readonly credentials: Readonly<Record<string, string>>;
  /** Of a merchant's own provider. */
  readonly initializeUrl: string | null;
  readonly verifyUrl: string | null;
}

export interface PaymentOpening {
  /** The same on every try, and of one payment only: what the provider recognises a repeated request by. */
  readonly id: string;
  readonly reference: string;
  readonly provider: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: Currency;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly callbackUrl: string | null;
  /** How this service is reached, without a slash at its end. */
  readonly baseUrl: string;
  /** Where the provider reports. */
  readonly reportUrl: string;
  /** The tenant's time. */
  readonly now: Date;
}

export interface OpenedSession {
  readonly sessionId: string;
  readonly checkoutUrl: string | null;
  readonly expiresAt: Date;
}

/** The payment as its provider is asked about it. */
export interface PaymentQuery {
  readonly id: string;
  readonly reference: string;
  readonly sessionId: string;
  readonly chargeId: string | null;
  readonly amount: number;
  readonly currency: Currency;
  readonly expiresAt: Date;
  readonly now: Date;
  /** A report of it did not add up: what the provider does not say is not taken for granted. */
  readonly needsReview: boolean;
}

/** How a payment stands at its provider. */
export interface ProviderStatus {
  readonly status: 'pending' | 'succeeded' | 'failed' | 'expired';
  /** What was paid, in the currency's smallest unit; a success without it, or without the currency, pays nothing. */
  readonly amount?: number | undefined;
  /** Three upper-case letters. */
  readonly currency?: string | undefined;
  /** What a refund will name. */
  readonly chargeId?: string | undefined;
  /** The provider's word for why. */
  readonly failure?: string | undefined;
}

export interface RefundInstruction {
  /** The same on every try. */
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  /** Whether an earlier try may have come to the provider, and it is not known how it ended. */
  readonly isRetry: boolean;
  readonly reportUrl: string;
}

export interface ProviderRefundStatus {
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly providerRefund: string | null;
}

/** A report as it came, before it is believed. */
export interface Callback {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the report's address was made for. */
  readonly reference: string | null;
  readonly token: string | null;
  readonly nowMs: number;
}

/** How a report names its payment. */
export type PaymentName =
  | { readonly reference: string }
  | { readonly sessionId: string }
  | { readonly chargeId: string };

/** What a verified report says. */
export type ProviderReport =
  | { readonly kind: 'payment'; readonly of: PaymentName; readonly providerStatus: ProviderStatus }
  /** Something happened; the provider is to be asked what. */
  | { readonly kind: 'look'; readonly of: PaymentName }
  | {
      readonly kind: 'refund';
      readonly of: PaymentName;
      /** Our own name of it, where the provider repeats it. */
      readonly id: string | null;
      readonly providerRefund: string | null;
      /** Null: it is not told, or cannot be read. */
      readonly amount: number | null;
      /** Three upper-case letters; null as the amount. */
      readonly currency: string | null;
      readonly status: ProviderRefundStatus['status'];
    }
  | { readonly kind: 'nothing' };

/** The provider said no, and nothing was done. */
export class ProviderDenial {
  readonly reason: 'declined' | 'invalid' | 'credentials' | 'unsupported';
  /** For the caller; never the provider's own text, which may repeat what it was sent. */
  readonly message: string;
  /** The provider's word for it. */
  readonly providerCode: string;

  constructor(why: ProviderDenial['reason'], message: string, word = '') {
    this.reason = why;
    this.message = message;
    this.providerCode = word;
  }
}

/** The provider did not answer, or not so that what it did could be told: to be tried again under the same name. */
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

/** The same, and the provider surely knows of nothing: it was not asked, or did not let the question in. */
export class ProviderNotReached extends ProviderFault {
  constructor({ provider, problem }: Pick<ProviderFault, 'provider' | 'problem'>) {
    super(provider, problem);
    this.name = 'NotReached';
  }
}

/** It does not know who asks: another account of the merchant's there may be let in. */
export class CredentialsRejected extends ProviderNotReached {
  constructor(provider: string) {
    super({ provider, problem: 'credentials refused' });
    this.name = 'NotLetIn';
  }
}

export interface ProviderAdapter {
  readonly name: string;
  /** As shoppers read it. */
  readonly label: string;
  readonly type: 'redirect' | 'push';
  /** Codes that it takes; empty: any. */
  readonly currencies: readonly string[];
  readonly countries: readonly string[];
  readonly credentials: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** Which credential cannot be this environment's; null where all can. */
  wrongEnvironmentCredential(credentials: ProviderAccount['credentials'], environment: Environment): string | null;
  open(account: ProviderAccount, opening: PaymentOpening, timeoutMs: number): Promise<OpenedSession | ProviderDenial>;
  fetchStatus(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<ProviderStatus>;
  /** Ends an open payment so that it cannot be paid any more, where the provider has a way; false: it may still be paid. */
  cancelSession?(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<boolean>;
  /** Denied: nothing came of this try, nor of any before; where credentials are refused those before are unknown. */
  refund(
    account: ProviderAccount,
    payment: PaymentQuery,
    refund: RefundInstruction,
    timeoutMs: number,
  ): Promise<ProviderRefundStatus | ProviderDenial>;
  /** Null where the report is not surely the provider's. */
  readCallback(account: ProviderAccount, callback: Callback, timeoutMs: number): Promise<ProviderReport | null>;
}

/** What every built-in provider is called in the contract. */
export const BUILT_IN = ['card_checkout', 'wallet', 'bank_africa', 'mobile_money'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];
export const isBuiltIn = (name: string): name is BuiltIn => (BUILT_IN as readonly string[]).includes(name);
