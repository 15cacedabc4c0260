// Issues, redeems, disables and refunds gift cards in the caller's transaction.
import { randomUUIDv7 } from 'bun';
import type { GiftCard } from '#proto/gen/value.ts';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { Account } from './account.ts';
import type { OrderBooks } from './booked_order.ts';
import { codeHash, makeCode, readCode } from './gift_code.ts';
import { post } from './posting.ts';
import { spendable, valueMoves } from './spent_value.ts';
import { creditOf } from './store_credit.ts';
import { type CardRow, holdCards, insertCard, lockCard, reopenCard, setDisabled } from './table/gift_card.ts';

export const statusOf = (card: CardRow, now: Date): GiftCard['status'] => {
  if (card.disabled_at !== null) return 'disabled';
  if (card.balance === 0) return 'redeemed';
  return card.expires_at !== null && card.expires_at <= now ? 'expired' : 'active';
};

export const codeContext = (tenant: Tenant, id: string): string =>
  `gift_card/${tenant.store}/${tenant.environment}/${id}`;

export const shownCard = (seal: Seal, tenant: Tenant, card: CardRow, now: Date): GiftCard => {
  const currency = currencyOf(card.currency);
  return {
    id: card.id,
    code: seal.open(card.code, codeContext(tenant, card.id)),
    status: statusOf(card, now),
    currency: card.currency,
    initial_amount: toMajor(card.initial_amount, currency),
    balance: toMajor(card.balance, currency),
    expires_at: card.expires_at?.toISOString() ?? null,
    customer_id: card.customer_id,
    created_at: card.created_at.toISOString(),
  };
};

export interface NewCard {
  readonly currency: Currency;
  readonly amount: number;
  readonly expiresAt: Date | null;
  readonly customer: string | null;
}

export const issueCard = async (tx: Transaction, tenant: Tenant, made: NewCard): Promise<GiftCard> => {
  const id = randomUUIDv7();
  const code = makeCode();
  const now = tx.clock.now(tenant);
  const card: CardRow = {
    id,
    code: tx.seal.close(code, codeContext(tenant, id)),
    code_last4: code.slice(-4),
    currency: made.currency.code,
    initial_amount: made.amount,
    balance: made.amount,
    expires_at: made.expiresAt,
    disabled_at: null,
    customer_id: made.customer,
    created_at: now,
  };
  await insertCard(tx.sql, tenant, card, codeHash(code));
  await post(tx, tenant, {
    kind: 'gift_card_issued',
    reference: `gift_card/${id}`,
    currency: card.currency,
    moves: [
      {
        from: { kind: 'gift_card_issue', subject: tenant.store },
        to: { kind: 'gift_card', subject: id },
        amount: made.amount,
      },
    ],
  });
  const shown = shownCard(tx.seal, tenant, card, now);
  await tx.emit(tenant, [{ type: 'gift_card.issued', object: { ...shown } }]);
  return shown;
};

/** Disables a card permanently. The balance stays on it and cannot be spent. */
export const disableCard = async (tx: Transaction, tenant: Tenant, id: string): Promise<GiftCard | Refusal | null> => {
  const card = await lockCard(tx.sql, tenant, id);
  if (card === null) return null;
  const now = tx.clock.now(tenant);
  const status = statusOf(card, now);
  if (status !== 'active' && status !== 'disabled')
    return refuse('conflict', `A gift card that is ${status} cannot be disabled.`, { param: 'status' });
  if (status === 'active') await setDisabled(tx.sql, tenant, id, now);
  return shownCard(tx.seal, tenant, { ...card, disabled_at: card.disabled_at ?? now }, now);
};

const REOPENED_MS = 90 * 86_400_000;

/**
 * Returns the account that receives the refund: the card, or the creditor's store credit if the card is disabled or
 * expired. If there is no creditor either, reopens the card.
 */
export const refundDestinationOf = async (
  tx: Transaction,
  tenant: Tenant,
  id: string,
  creditor: string | null,
): Promise<Account> => {
  const place: Account = { kind: 'gift_card', subject: id };
  const card = await lockCard(tx.sql, tenant, id);
  const now = tx.clock.now(tenant);
  const closed = card !== null && (card.disabled_at !== null || (card.expires_at !== null && card.expires_at <= now));
  if (!closed) return place;
  if (creditor !== null) return creditOf(creditor);
  await reopenCard(tx.sql, tenant, id, new Date(now.getTime() + REOPENED_MS));
  return place;
};

export interface Redemption {
  readonly card: string;
  readonly last4: string;
  readonly amount: number;
}

export interface WantedCard {
  readonly code: string;
  readonly param: string;
}

export const namedIn = (field: string, codes: readonly string[]): readonly WantedCard[] =>
  codes.map((code, at) => ({ code, param: `${field}[${at}]` }));

const notApplicable = (param: string, message: string, card?: CardRow): Refusal =>
  refuse('gift_card_not_applicable', message, {
    param,
    ...(card && { details: `It ends in ${card.code_last4}.` }),
  });

/**
 * Redeems cards in the given sequence until `due` is paid. Refuses all if one code does not apply. Later cards stay
 * untouched. Concurrent redemptions of one card wait for each other.
 */
export const redeemCards = async (
  tx: Transaction,
  tenant: Tenant,
  wanted: {
    readonly order: string;
    readonly currency: string;
    readonly due: number;
    readonly codes: readonly WantedCard[];
    readonly books?: OrderBooks | null;
  },
): Promise<readonly Redemption[] | Refusal> => {
  const now = tx.clock.now(tenant);
  const codes = wanted.codes.map(({ code }) => readCode(code));
  const hashes = codes.map((code) => (code === null ? null : codeHash(code)));
  const held = await holdCards(
    tx.sql,
    tenant,
    hashes.filter((hash) => hash !== null),
  );
  const redemptions: Redemption[] = [];
  const events: Event[] = [];
  const seen = new Set<string>();
  let due = wanted.due;
  for (const [at, hash] of hashes.entries()) {
    const { param } = wanted.codes[at]!;
    const found = hash && held.find((card) => hash.equals(card.code_hash));
    if (!found) return notApplicable(param, 'There is no gift card with this code.');
    if (seen.size === seen.add(found.id).size) return notApplicable(param, 'This gift card is named twice.', found);
    const status = statusOf(found, now);
    if (status !== 'active') return notApplicable(param, `This gift card is ${status}.`, found);
    const spent = spendable(found, wanted, due);
    if (spent === null) return notApplicable(param, `This gift card is in ${found.currency}.`, found);
    const { amount, given } = spent;
    if (amount === 0) continue;
    due -= amount;
    const posted = await post(tx, tenant, {
      kind: 'gift_card_redeemed',
      reference: `order/${wanted.order}/gift_card/${found.id}`,
      order: wanted.order,
      currency: wanted.currency,
      moves: await valueMoves(tx, tenant, { kind: 'gift_card', subject: found.id }, wanted, spent),
    });
    if (posted === null) throw new Error(`order ${wanted.order} was paid with this gift card before`);
    redemptions.push({ card: found.id, last4: found.code_last4, amount });
    const shown = shownCard(tx.seal, tenant, { ...found, balance: found.balance - given }, now);
    const redeemed = toMajor(given, currencyOf(found.currency));
    events.push({ type: 'gift_card.redeemed', object: { ...shown, order_id: wanted.order, amount: redeemed } });
  }
  await tx.emit(tenant, events);
  return redemptions;
};
