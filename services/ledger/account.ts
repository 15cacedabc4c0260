// Accounts of the ledger.

/**
 * Value moves from a source (`gift_card_issue`, `store_credit_issue`, `payment`, `elsewhere`) to a `gift_card`, a
 * customer's `store_credit`, an `order`, or the `deposit` of a payment without order. Postgres keeps `payment` and
 * `elsewhere` at or below zero and all four destinations at or above zero.
 */
export type AccountKind =
  | 'gift_card'
  | 'store_credit'
  | 'order'
  | 'deposit'
  | 'payment'
  /** Paid to the merchant outside of any provider. */
  | 'elsewhere'
  | 'gift_card_issue'
  | 'store_credit_issue';

export interface Account {
  readonly kind: AccountKind;
  /** Id of the card, customer, order or payment; the store's id for its issues. */
  readonly subject: string;
}

export interface LedgerMove {
  readonly from: Account;
  readonly to: Account;
  /** In the currency's smallest unit, above zero. */
  readonly amount: number;
}
