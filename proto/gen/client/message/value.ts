// Generated from stoa/v1/value.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
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

/** What a store owes to a customer. */
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
};

export type ReadGiftCardsResponse = {
  /** The card of the `code`. */
  gift_card?: GiftCard;
  /** The customer's cards, newest first. */
  gift_cards?: readonly GiftCard[];
  pagination?: Pagination;
};

export type CreateGiftCardRequest = {
  amount: number;
  /** ISO 4217; the store's unless said. */
  currency?: string;
  /** From then on it cannot be spent. */
  expires_at?: string | null;
  /** Whose list of cards shows it. */
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
  /** The customer of the session unless said. */
  customer_id?: string;
};

export type GrantStoreCreditRequest = {
  customer_id: string;
  amount: number;
  reason?: string;
};

export type StoreCreditResponse = {
  store_credit: StoreCredit;
};
