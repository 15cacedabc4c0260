// The rpc handlers of gift cards and store credit.
import { randomUUID } from 'node:crypto';
import type { PinnedRate } from '#proto/gen/pricing_directory.ts';
import type {
  GiftCard,
  GiftCardDirectoryRpcs,
  ReadGiftCardsResponse,
  StoreCredit,
  ValueRpcs,
} from '#proto/gen/value.ts';
import { foreignCursor, invalid, notFound, Refusal, Rendered, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { badAmount, pastTime, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import {
  balanceOf,
  type CardRow,
  codeHash,
  creditOf,
  disableCard,
  findCard,
  findCardByCode,
  grantCredit,
  issueCard,
  movementsOf,
  pageOfCards,
  readCode,
  shownCard,
  statusOf,
} from '#services/ledger/index.ts';
import { type Currency, currencyOf, parseCurrency } from '#values/currency.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { convertDown, rateOf } from '#values/exchange.ts';
import { pickFields, type WantedFields, wantedFields } from '#values/field.ts';
import { AMOUNT_MAX, toMajor, toMinor } from '#values/money.ts';
import { listIssuedCards } from './issued_card.ts';
import { refuseCustomer, storeCurrency } from './store_check.ts';

const LIMIT_DEFAULT = 20;
const ENTRIES_SHOWN_MAX = 100;

const positiveAmount = (major: number, currency: Currency): number | Refusal => {
  const amount = toMinor(major, currency);
  if (amount === null) return badAmount('amount', major, currency);
  return amount > 0 ? amount : invalid('amount', '`amount` must be above 0.');
};

const creditShown = async (
  sql: Sql,
  tenant: Tenant,
  customer: string,
  currency: Currency,
): Promise<{ store_credit: StoreCredit }> => {
  const account = creditOf(customer);
  const [balance, movements] = await Promise.all([
    balanceOf(sql, tenant, account, currency.code),
    movementsOf(sql, tenant, account, currency.code, ENTRIES_SHOWN_MAX),
  ]);
  const entries = movements.map(({ id, amount, reason, order_id, created_at }) => ({
    id,
    amount: toMajor(amount, currency),
    reason,
    order_id,
    created_at: created_at.toISOString(),
  }));
  return { store_credit: { balance: toMajor(balance, currency), currency: currency.code, entries } };
};

const encoder = new TextEncoder();

const withFields = (answer: ReadGiftCardsResponse, fields: string | undefined): ReadGiftCardsResponse | Rendered => {
  if (!fields) return answer;
  const wanted = wantedFields(fields);
  const cut = pickFields(
    answer,
    new Map<string, true | WantedFields>([
      ['gift_card', wanted],
      ['gift_cards', wanted],
      ['pagination', true],
    ]),
  );
  return new Rendered(encoder.encode(JSON.stringify(cut)));
};

export const cardReader =
  ({ clock, seal }: Pick<Runtime, 'clock' | 'seal'>) =>
  async (sql: Sql, tenant: Tenant, id: string): Promise<GiftCard | null> => {
    const found = await findCard(sql, tenant, id);
    return found && shownCard(seal, tenant, found, clock.now(tenant));
  };

export const valueHandlers = ({ clock, seal, ask }: Runtime): Handlers<ValueRpcs> => ({
  ReadGiftCards: query(async (sql, { tenant }, { code, customer_id, limit = LIMIT_DEFAULT, cursor, fields }) => {
    if ((code === undefined) === (customer_id === undefined))
      return invalid(code === undefined ? 'code' : 'customer_id', 'Name either `code` or `customer_id`.');
    const now = clock.now(tenant);
    if (customer_id === undefined) {
      const read = readCode(code!);
      const card = read === null ? null : await findCardByCode(sql, tenant, codeHash(read));
      if (card === null) return notFound('gift card', 'code');
      return withFields({ gift_card: shownCard(seal, tenant, card, now) }, fields);
    }
    const scope = JSON.stringify(['gift_cards', tenantKey(tenant), customer_id]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    const page = await pageOfCards(sql, tenant, customer_id, after, limit + 1);
    const cards = page.slice(0, limit);
    const last = page.length > limit ? cards[limit - 1]! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    const gift_cards = cards.map((card) => shownCard(seal, tenant, card, now));
    const pagination = { limit, has_more: next !== null, next_cursor: next };
    return withFields({ gift_cards, pagination }, fields);
  }),

  ListIssuedCards: query((sql, { tenant }, input) => listIssuedCards(sql, tenant, input, clock.now(tenant))),

  CreateGiftCard: transaction(async (tx, { tenant }, input) => {
    const currency = input.currency === undefined ? await storeCurrency(ask, tenant) : parseCurrency(input.currency);
    if (currency === null) return unknownCurrency(input.currency);
    const amount = positiveAmount(input.amount, currency);
    if (amount instanceof Refusal) return amount;
    const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
    if (expiresAt !== null && expiresAt <= clock.now(tenant)) return pastTime('expires_at', input.expires_at ?? '');
    const customer = input.customer_id?.toLowerCase() ?? null;
    const unknown = customer === null ? null : await refuseCustomer(ask, tenant, customer);
    if (unknown) return unknown;
    return { gift_card: await issueCard(tx, tenant, { currency, amount, expiresAt, customer }) };
  }),

  UpdateGiftCard: transaction(async (tx, { tenant }, { id }) => {
    const card = await disableCard(tx, tenant, id);
    if (card === null) return notFound('gift card');
    return card instanceof Refusal ? card : { gift_card: card };
  }),

  GetStoreCredit: query(async (sql, { tenant, customer }, input) => {
    const whose = input.customer_id ?? customer;
    if (whose === null) return notFound('customer', 'customer_id');
    return creditShown(sql, tenant, whose, await storeCurrency(ask, tenant));
  }),

  GrantStoreCredit: transaction(async (tx, { tenant }, input) => {
    const customer = input.customer_id.toLowerCase();
    const currency = await storeCurrency(ask, tenant);
    const amount = positiveAmount(input.amount, currency);
    if (amount instanceof Refusal) return amount;
    const unknown = await refuseCustomer(ask, tenant, customer);
    if (unknown) return unknown;
    await grantCredit(tx, tenant, {
      reference: `store_credit/${randomUUID()}`,
      customer,
      currency: currency.code,
      amount,
      reason: input.reason,
    });
    return creditShown(tx.sql, tenant, customer, currency);
  }),
});

/** Returns what a card can pay in a currency; null if it is in another one than that and the store's. */
const balanceIn = (
  card: Pick<CardRow, 'currency' | 'balance'>,
  currency: string,
  exchange: PinnedRate | null,
): number | null => {
  if (card.currency === currency) return card.balance;
  if (exchange?.base_currency !== card.currency) return null;
  const conversion = {
    from: currencyOf(card.currency),
    to: currencyOf(currency),
    rate: rateOf(exchange.rate),
    ending: null,
  };
  return convertDown(card.balance, conversion) ?? AMOUNT_MAX;
};

export const giftCardDirectoryHandlers = ({ clock }: Runtime): Handlers<GiftCardDirectoryRpcs> => ({
  FindSpendable: query(async (sql, { tenant }, { codes, currency, exchange }) => {
    const now = clock.now(tenant);
    const cards = await Promise.all(
      codes.map(async (typed) => {
        const code = readCode(typed);
        const card = code === null ? null : await findCardByCode(sql, tenant, codeHash(code));
        if (card === null)
          return { code: typed, code_last4: '', reason: 'There is no gift card with this code.', balance_minor: 0 };
        const status = statusOf(card, now);
        const balance = balanceIn(card, currency, exchange ?? null);
        const reason =
          status !== 'active'
            ? `This gift card is ${status}.`
            : balance === null
              ? `This gift card is in ${card.currency}.`
              : null;
        return { code: code!, code_last4: card.code_last4, reason, balance_minor: balance ?? 0 };
      }),
    );
    return { cards };
  }),
});
