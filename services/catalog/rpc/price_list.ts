// Handlers of price lists.
import { randomUUIDv7 } from 'bun';
import type { ListPriceInput, PriceListing, PriceListRpcs } from '#proto/gen/price_list.ts';
import { foreignCursor, invalid, notFound, Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import {
  deletePriceList,
  findPriceList,
  type PriceListRecord,
  type PriceRecord,
  pageOfPriceLists,
  savePriceList,
} from '#services/catalog/table/price_list.ts';
import { recordListPrices } from '#services/catalog/table/price_period.ts';
import { missingVariants } from '#services/catalog/table/product.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { badAmount, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { type Currency, currencyOf, parseCurrency } from '#values/currency.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { toMajor, toMinor } from '#values/money.ts';
import { typedName } from '#values/text.ts';
import { rendered } from './product.ts';

const LIMIT_DEFAULT = 20;

const priceListDocument = (list: PriceListRecord): PriceListing => {
  const currency = currencyOf(list.currency);
  return {
    id: list.id,
    name: list.name,
    currency: list.currency,
    customer_group: list.customer_group,
    starts_at: list.starts_at?.toISOString() ?? null,
    ends_at: list.ends_at?.toISOString() ?? null,
    prices: list.prices.map(({ variant_id, min_quantity, price }) => ({
      variant_id,
      min_quantity,
      price: toMajor(price, currency),
    })),
    created_at: list.created_at.toISOString(),
    updated_at: list.updated_at.toISOString(),
  };
};

const readPrices = async (
  sql: Sql,
  tenant: Tenant,
  prices: readonly ListPriceInput[],
  currency: Currency,
  before: readonly PriceRecord[],
): Promise<PriceRecord[] | Refusal> => {
  const read: PriceRecord[] = [];
  const seen = new Set<string>();
  for (const [at, { variant_id, min_quantity = 1, price }] of prices.entries()) {
    const minor = toMinor(price, currency);
    if (minor === null) return badAmount(`prices[${at}].price`, price, currency);
    const record = { variant_id: variant_id.toLowerCase(), min_quantity, price: minor };
    if (seen.size === seen.add(`${record.variant_id}/${min_quantity}`).size) {
      return invalid(
        `prices[${at}]`,
        `Two prices are set for variant ${record.variant_id} from a quantity of ${min_quantity}. Send one of them.`,
      );
    }
    read.push(record);
  }
  // Checks only added variants, because those already in the list may have been deleted since.
  const named = new Set(before.map((price) => price.variant_id));
  const added = new Set(read.map((price) => price.variant_id)).difference(named);
  const missing = await missingVariants(sql, tenant, [...added]);
  const at = read.findIndex((price) => missing.has(price.variant_id));
  return at < 0 ? read : notFound('variant', `prices[${at}].variant_id`);
};

const readTime = (text: string | null | undefined, before: Date | null): Date | null =>
  text === undefined ? before : text === null ? null : new Date(text);

export const readPriceList = async (sql: Sql, tenant: Tenant, id: string): Promise<PriceListing | null> => {
  const found = await findPriceList(sql, tenant, id);
  return found && priceListDocument(found);
};

export const priceListHandlers = (
  clock: Clock,
  profiles: Profiles,
  announce: AnnounceProducts,
  watch: (tenant: Tenant) => void,
): Handlers<PriceListRpcs> => {
  const committed = (tx: Transaction, tenant: Tenant, revision: number): void => {
    announce(tx, tenant, revision, null);
    tx.afterCommit(() => watch(tenant));
  };

  const save = async (
    tx: Transaction,
    tenant: Tenant,
    revision: number,
    list: PriceListRecord,
    prices: readonly ListPriceInput[] | undefined,
  ): Promise<Refusal | { price_list: PriceListing }> => {
    if (list.starts_at && list.ends_at && list.ends_at <= list.starts_at) {
      return invalid(
        'ends_at',
        `\`ends_at\` (${list.ends_at.toISOString()}) must be after \`starts_at\` (${list.starts_at.toISOString()}).`,
      );
    }
    const read = prices && (await readPrices(tx.sql, tenant, prices, currencyOf(list.currency), list.prices));
    if (read instanceof Refusal) return read;
    const whole = { ...list, prices: read ?? list.prices };
    await savePriceList(tx.sql, tenant, revision, whole, read !== undefined);
    await recordListPrices(tx.sql, tenant, list.id, whole, clock.now(tenant));
    await setRevision(tx.sql, tenant, revision);
    committed(tx, tenant, revision);
    return { price_list: priceListDocument((await findPriceList(tx.sql, tenant, list.id))!) };
  };

  return {
    ListPriceLists: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['price_lists', tenantKey(tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await pageOfPriceLists(sql, tenant, after, limit + 1);
      const lists = page.slice(0, limit);
      const last = page.length > limit ? lists[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        price_lists: lists.map(priceListDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetPriceList: query(async (sql, { tenant }, { id }) => {
      const price_list = await readPriceList(sql, tenant, id);
      return price_list ? { price_list } : notFound('price list');
    }),

    CreatePriceList: transaction(async (tx, { tenant }, input) => {
      const { frame } = await profiles.get(tenant);
      const currency = input.currency === undefined ? frame.currency : parseCurrency(input.currency);
      if (currency === null) return unknownCurrency(input.currency);
      const revision = await nextRevision(tx.sql, tenant);
      const now = clock.now(tenant);
      const list: PriceListRecord = {
        id: randomUUIDv7(),
        name: input.name,
        currency: currency.code,
        customer_group: input.customer_group ? typedName(input.customer_group) : null,
        starts_at: readTime(input.starts_at, null),
        ends_at: readTime(input.ends_at, null),
        created_at: now,
        updated_at: now,
        prices: [],
      };
      const saved = await save(tx, tenant, revision, list, input.prices ?? []);
      return saved instanceof Refusal ? saved : rendered(saved, revision);
    }),

    UpdatePriceList: transaction(async (tx, { tenant }, { id, version, ...change }) => {
      const revision = await nextRevision(tx.sql, tenant);
      const before = await findPriceList(tx.sql, tenant, id);
      if (!before) return notFound('price list');
      const outdated = refuseOutdated('price list', before, version);
      if (outdated) return outdated;
      const currency = parseCurrency(change.currency ?? before.currency);
      if (currency === null) return unknownCurrency(change.currency);
      if (currency.exponent !== currencyOf(before.currency).exponent && change.prices === undefined) {
        return invalid(
          'currency',
          `Prices in ${before.currency} cannot be converted to ${currency.code}, which has other decimals. Send \`prices\` too.`,
        );
      }
      const list: PriceListRecord = {
        ...before,
        name: change.name ?? before.name,
        currency: currency.code,
        customer_group:
          change.customer_group === undefined
            ? before.customer_group
            : change.customer_group && typedName(change.customer_group),
        starts_at: readTime(change.starts_at, before.starts_at),
        ends_at: readTime(change.ends_at, before.ends_at),
        updated_at: changeTime(before, clock.now(tenant)),
      };
      const saved = await save(tx, tenant, revision, list, change.prices);
      return saved instanceof Refusal ? saved : rendered(saved, revision);
    }),

    DeletePriceList: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      const revision = await nextRevision(tx.sql, tenant);
      if (!(await deletePriceList(tx.sql, tenant, revision, id))) return notFound('price list');
      await recordListPrices(tx.sql, tenant, id, null, clock.now(tenant));
      await setRevision(tx.sql, tenant, revision);
      committed(tx, tenant, revision);
      return rendered({ deleted: true, id }, revision);
    }),
  };
};
