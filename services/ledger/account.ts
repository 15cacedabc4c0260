// Accounts of the ledger, and moves between them.

/**
 * Value moves from a source (`gift_card_issue`, `store_credit_issue`, `payment`, `elsewhere`) to a destination: a
 * `gift_card`, a customer's `store_credit`, an `order`, or the `deposit` of a payment without an order. Constraints in
 * Postgres keep `payment` and `elsewhere` at or below zero, and destinations at or above zero.
 */
export type AccountKind =
  | 'gift_card'
  | 'store_credit'
  | 'order'
  | 'deposit'
  | 'payment'
  /** Payments that the merchant received outside of any provider. */
  | 'elsewhere'
  | 'gift_card_issue'
  | 'store_credit_issue'
  /** A card or credit of the store's currency, as it pays an order in another one: at or below zero there. */
  | 'gift_card_exchange'
  | 'store_credit_exchange'
  /** Differences of rounding between an order and its sources, in the store's currency. */
  | 'exchange';

export interface Account {
  readonly kind: AccountKind;
  /** Id of the card, customer, order or payment; the store's id for the `_issue` kinds and `exchange`. */
  readonly subject: string;
}

export interface LedgerMove {
  readonly from: Account;
  readonly to: Account;
  /** In the currency's smallest unit; above zero. */
  readonly amount: number;
  /** That of the posting unless said. */
  readonly currency?: string;
}
