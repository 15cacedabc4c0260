// The ledger: functions that move money in the caller's Postgres transaction. Several domains import it, so that an
// order, its payment and its refunds commit together.
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { codeContext } from './gift_card.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'ledger.gift_card', column: 'code', id: 'id', context: codeContext },
];

export type { Account, AccountKind } from './account.ts';
export type { OrderBooks } from './booked_order.ts';
export {
  disableCard,
  issueCard,
  type NewCard,
  namedIn,
  type Redemption,
  redeemCards,
  shownCard,
  statusOf,
} from './gift_card.ts';
export { codeHash, readCode, readEnding } from './gift_code.ts';
export {
  isClosedToPayment,
  type LedgerShare,
  lockPayments,
  type ReturnedShare,
  receiveElsewhere,
  receiveInvoice,
  receivePayment,
  sharesOf,
} from './order_money.ts';
export { movementsOfOrders, type OrderMovement } from './order_movement.ts';
export {
  balanceObstacle,
  hasRefundable,
  isCancelledOrder,
  partsThroughProviders,
  recordProviderRefund,
  refundAsCredit,
  refundOrder,
  releaseOrder,
  reverseRefund,
} from './order_refund.ts';
export { balanceOf, type Movement, movementsOf } from './posting.ts';

export { creditOf, grantCredit, spendCredit } from './store_credit.ts';
export { eraseReasons } from './table/erasure.ts';
export {
  type CardRow,
  expiringCards,
  findCard,
  findCardByCode,
  type IssuedCardFilter,
  lockCard,
  markExpiryPublished,
  pageOfCards,
  pageOfIssuedCards,
} from './table/gift_card.ts';
export { isBalanced, ledgerTenants, type TrialBalance, trialBalance } from './trial_balance.ts';
