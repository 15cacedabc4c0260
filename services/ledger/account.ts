// Accounts of the ledger: what each holds, and what an amount on it means.

/**
 * Value comes from a source (`gift_card_issue`, `store_credit_issue`, `payment`, `elsewhere`) and rests on a
 * `gift_card`, as `store_credit` of a customer, in an `order`, or as the `deposit` of a payment without one.
 * Postgres keeps a payment and an `elsewhere` at zero or below, and every place of rest at zero or above.
 */
export type AccountKind =
  | 'gift_card'
  | 'store_credit'
  | 'order'
  | 'deposit'
  | 'payment'
  /** Taken by the merchant outside of any provider; its subject is the order. */
  | 'elsewhere'
  | 'gift_card_issue'
  | 'store_credit_issue';

export interface Account {
  readonly kind: AccountKind;
  /** The card, customer, order, payment; a store for what it issues. */
  readonly subject: string;
}

/** Reads as money that moves: `from` gives what `to` gets. */
export interface LedgerMove {
  readonly from: Account;
  readonly to: Account;
  /** In the currency's smallest unit, above zero. */
  readonly amount: number;
}
