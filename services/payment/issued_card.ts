// Lists the gift cards that a store issued. Codes are money, so staff sees the last characters alone.
import type { IssuedGiftCard, ListIssuedCardsRequest, ListIssuedCardsResponse } from '#proto/gen/value.ts';
import { foreignCursor, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import {
  type CardRow,
  codeHash,
  type IssuedCardFilter,
  pageOfIssuedCards,
  readCode,
  readEnding,
  statusOf,
} from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { toMajor } from '#values/money.ts';

const LIMIT_DEFAULT = 20;

const issuedCardOf = (card: CardRow, now: Date): IssuedGiftCard => {
  const currency = currencyOf(card.currency);
  return {
    id: card.id,
    code_last4: card.code_last4,
    status: statusOf(card, now),
    currency: card.currency,
    initial_amount: toMajor(card.initial_amount, currency),
    balance: toMajor(card.balance, currency),
    expires_at: card.expires_at?.toISOString() ?? null,
    customer_id: card.customer_id,
    created_at: card.created_at.toISOString(),
  };
};

/** Returns null where the search can match no code. */
const filterOf = ({ search, status, customer_id }: ListIssuedCardsRequest): IssuedCardFilter | null => {
  const rest = { status: status ?? null, customer: customer_id?.toLowerCase() ?? null };
  if (search === undefined) return { ...rest, ending: null, codeHash: null };
  const code = readCode(search);
  if (code !== null) return { ...rest, ending: null, codeHash: codeHash(code) };
  const ending = readEnding(search);
  return ending === null ? null : { ...rest, ending, codeHash: null };
};

export const listIssuedCards = async (
  sql: Sql,
  tenant: Tenant,
  input: ListIssuedCardsRequest,
  now: Date,
): Promise<ListIssuedCardsResponse | Refusal> => {
  const { limit = LIMIT_DEFAULT, cursor } = input;
  const filter = filterOf(input);
  const scope = JSON.stringify(['issued gift cards', tenantKey(tenant), input.search, input.status, filter?.customer]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);
  const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
  const page = filter ? await pageOfIssuedCards(sql, tenant, filter, now, after, limit + 1) : [];
  const cards = page.slice(0, limit);
  const last = page.length > limit ? cards.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
  return {
    gift_cards: cards.map((card) => issuedCardOf(card, now)),
    pagination: { limit, has_more: next !== null, next_cursor: next },
  };
};
