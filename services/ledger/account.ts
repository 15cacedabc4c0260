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
  | 'store_credit_issue';

export interface Account {
  readonly kind: AccountKind;
  /** Id of the card, customer, order or payment; the store's id for the two `_issue` kinds. */
  readonly subject: string;
}

export interface LedgerMove {
  readonly from: Account;
  readonly to: Account;
  /** In the currency's smallest unit; above zero. */
  readonly amount: number;
}
