// Generated from stoa/v1/value.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { PinnedRateInput } from './pricing_directory.ts';
import type { Pagination } from './shared.ts';

/** A gift card. */
export type GiftCard = {
  id: string;
  /** The code alone spends the card. */
  code: string;
  status: "active" | "redeemed" | "expired" | "disabled";
  currency: string;
  initial_amount: number;
  balance: number;
  expires_at: string | null;
  customer_id: string | null;
  created_at: string;
};

export type StoreCreditEntry = {
  id: string;
  /** Negative where it was spent. */
  amount: number;
  reason: string | null;
  order_id: string | null;
  created_at: string;
};

/** A customer's store credit. */
export type StoreCredit = {
  balance: number;
  currency: string;
  /** Newest first. */
  entries: readonly StoreCreditEntry[];
};

export type ReadGiftCardsRequest = {
  code?: string;
  customer_id?: string;
  /** Page size. */
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ReadGiftCardsResponse = {
  /** The card of the `code`. */
  gift_card?: GiftCard;
  /** The customer's cards, newest first. */
  gift_cards?: readonly GiftCard[];
  pagination?: Pagination;
};

export type ListIssuedCardsRequest = {
  /** The last one to four characters of the code, or the whole code, in any letter case, with or without hyphens. */
  search?: string;
  status?: "active" | "redeemed" | "expired" | "disabled";
  /** The customer whose list shows the cards. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the cards' fields to return. */
  fields?: string;
};

/** A gift card in the store's list. Only the buyer and the customer know its code. */
export type IssuedGiftCard = {
  id: string;
  /** The code's last characters. */
  code_last4: string;
  status: "active" | "redeemed" | "expired" | "disabled";
  currency: string;
  initial_amount: number;
  balance: number;
  expires_at: string | null;
  customer_id: string | null;
  created_at: string;
};

export type ListIssuedCardsResponse = {
  gift_cards: readonly IssuedGiftCard[];
  pagination: Pagination;
};

export type CreateGiftCardRequest = {
  amount: number;
  /** ISO 4217; the store's unless said. */
  currency?: string;
  /** From then on it cannot be spent. */
  expires_at?: string | null;
  /** Customer whose list shows the card. */
  customer_id?: string | null;
};

export type GiftCardResponse = {
  gift_card: GiftCard;
};

export type UpdateGiftCardRequest = {
  id: string;
  status: "disabled";
};

export type GetStoreCreditRequest = {
  /** The customer of the session unless said. Staff must name one. */
  customer_id?: string;
  /** Comma-separated names of the store credit's fields to return. */
  fields?: string;
};

export type GrantStoreCreditRequest = {
  customer_id: string;
  amount: number;
  reason?: string;
};

export type StoreCreditResponse = {
  store_credit: StoreCredit;
};

/** @internal */
export type FindSpendableRequest = {
  codes: readonly string[];
  currency: string;
  /** Rate between the store's currency and `currency`, where they differ: a card in the store's is converted. */
  exchange?: PinnedRateInput | null;
};

/**
 * A card as a cart knows it.
 * @internal
 */
export type SpendableCard = {
  /** The code as stored, independent of how it was typed. */
  code: string;
  code_last4: string;
  /** Why it cannot be spent; null where it can. */
  reason: string | null;
  /** In the currency's smallest unit. */
  balance_minor: number;
};

/** @internal */
export type FindSpendableResponse = {
  cards: readonly SpendableCard[];
};

/** @internal */
export type GetTrialBalanceRequest = {
  /** The store's id; every store's unless said. */
  store?: string;
};

/**
 * One tenant's books in one currency, in its smallest unit.
 * @internal
 */
export type TrialBalanceLine = {
  store: string;
  environment: string;
  currency: string;
  postings: number;
  entries: number;
  /** Sum of all entries: zero. */
  sum: number;
  /** Sum of all amounts ever moved. */
  turnover: number;
  /** Postings that do not add up to zero. */
  uneven: number;
  /** Accounts that do not hold the sum of their entries. */
  astray: number;
  /** Sum of the entries of each kind of account. */
  accounts: Record<string, number>;
};

/** @internal */
export type GetTrialBalanceResponse = {
  balanced: boolean;
  lines: readonly TrialBalanceLine[];
};

/**
 * Gift cards and store credit.
 * @internal
 */
export interface ValueRpcs {
  ReadGiftCards: { request: ReadGiftCardsRequest; response: ReadGiftCardsResponse };
  ListIssuedCards: { request: ListIssuedCardsRequest; response: ListIssuedCardsResponse };
  CreateGiftCard: { request: CreateGiftCardRequest; response: GiftCardResponse };
  UpdateGiftCard: { request: UpdateGiftCardRequest; response: GiftCardResponse };
  GetStoreCredit: { request: GetStoreCreditRequest; response: StoreCreditResponse };
  GrantStoreCredit: { request: GrantStoreCreditRequest; response: StoreCreditResponse };
}

/**
 * Gift cards, as carts read them.
 * @internal
 */
export interface GiftCardDirectoryRpcs {
  FindSpendable: { request: FindSpendableRequest; response: FindSpendableResponse };
}

/**
 * The ledger, as operators check it.
 * @internal
 */
export interface LedgerAdminRpcs {
  GetTrialBalance: { request: GetTrialBalanceRequest; response: GetTrialBalanceResponse };
}
