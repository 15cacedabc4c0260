// Counts orders: derives the share of each in the sums and adds the difference from its former share. An order that is
// counted again therefore counts once.
import { createHash } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import { categoriesOfProducts } from '#services/catalog/transaction.ts';
import { movementsOfOrders, type OrderMovement } from '#services/ledger/index.ts';
import { findSales, type OrderSale } from '#services/order/transaction.ts';
import { normalEmail } from '#values/text.ts';
import { addSums, NO_SALES, quarterOf, type SoldOrder, salesOf, stepsOf } from './sale.ts';
import { type CountedOrder, findCounted, saveCounted } from './table/counted.ts';
import { type ChangedBuyer, type ChangedReturn, renewReturns } from './table/return.ts';
import { addSales, addSteps, type CurrencyShare } from './table/sum.ts';

/** Makes other writers of the tenant's sums wait until the transaction ends. */
export const lockSums = (sql: Sql, tenant: Tenant): Promise<void> => lockTenant(sql, tenant, 'report');

const PAID: readonly OrderSale['payment_status'][] = ['paid', 'partially_refunded', 'refunded'];

const channelOf = ({ kind, agent }: OrderSale['origin']): string => {
  if (kind === 'group') return 'marketplace';
  if (kind === 'purchase_order') return 'wholesale';
  return agent ? 'assistant' : 'storefront';
};

/** Returns who placed the order. A digest, so that reports store no e-mail address. */
export const buyerOf = (
  { store }: Pick<Tenant, 'store'>,
  { customer_id, email }: Pick<OrderSale, 'customer_id' | 'email'>,
): string =>
  customer_id ??
  createHash('sha256')
    .update(`${store}/${normalEmail(email)}`)
    .digest('hex');

const soldOrder = (order: OrderSale, movements: readonly OrderMovement[]): SoldOrder => {
  const received = movements.filter(({ kind }) => kind === 'received');
  const units = new Map(order.refunds.map((refund) => [refund.id, refund.units]));
  const placedAt = order.created_at.getTime();
  const paidAt = PAID.includes(order.payment_status) ? (received.at(-1)?.at.getTime() ?? placedAt) : null;
  // A part of an authorised payment that was not captured lowers the sales like a refund at the time of the capture.
  const released =
    order.amount_released > 0 && paidAt !== null ? [{ at: paidAt, amount: order.amount_released, units: [] }] : [];
  return {
    placedAt,
    paidAt,
    isCancelled: order.order_status === 'cancelled',
    hadCheckout: order.origin.kind === 'intent',
    channel: channelOf(order.origin),
    country: order.country?.toUpperCase() ?? '',
    gross: order.subtotal,
    discounts: order.discount_total,
    tax: order.tax_total,
    shipping: order.shipping_total,
    total: order.total_amount,
    lines: order.lines,
    refunds: [
      ...released,
      ...movements
        .filter(({ kind }) => kind === 'refunded')
        .map(({ at, amount, refund }) => ({ at: at.getTime(), amount, units: units.get(refund!) ?? [] })),
    ],
  };
};

const countedOrder = (
  tenant: Tenant,
  order: OrderSale,
  movements: readonly OrderMovement[],
  categories: CountedOrder['categories'],
  firstCountry: string | undefined,
): CountedOrder => {
  const sold = soldOrder(order, movements);
  // A returning customer stays in the country where the order was first counted.
  const country = firstCountry ?? sold.country;
  return {
    order_id: order.id,
    buyer: buyerOf(tenant, order),
    placed_at: order.created_at,
    is_live: !sold.isCancelled,
    currency: order.currency,
    channel: sold.channel,
    country,
    categories,
    sales: salesOf(sold, (product) => categories[product] ?? ''),
    steps: stepsOf(sold),
  };
};

/** Returns the buyers whose sequence of orders an order's change may have changed. */
const changedBuyers = (before: CountedOrder | undefined, after: CountedOrder): ChangedBuyer[] => {
  const { buyer, placed_at: since, is_live } = after;
  if (before === undefined) return is_live ? [{ buyer, since }] : [];
  if (before.buyer !== buyer) return [{ buyer: before.buyer, since }, ...(is_live ? [{ buyer, since }] : [])];
  return before.is_live === is_live ? [] : [{ buyer, since }];
};

const earliest = (buyers: readonly ChangedBuyer[]): ChangedBuyer[] => {
  const since = new Map<string, Date>();
  for (const each of buyers) {
    const known = since.get(each.buyer);
    if (!known || each.since < known) since.set(each.buyer, each.since);
  }
  return [...since].map(([buyer, at]) => ({ buyer, since: at }));
};

const sharesOf = ({ currency, sales }: CountedOrder, sign: 1 | -1): CurrencyShare[] =>
  sales.map((share) => ({ ...share, currency, sums: addSums(NO_SALES, share.sums, sign) }));

const returnShares = ({ placed_at, currency, channel, country, repeats, seconds }: ChangedReturn): CurrencyShare[] => {
  const share = { currency, quarter: quarterOf(placed_at.getTime()), sums: { ...NO_SALES, repeats, seconds } };
  return [
    { ...share, dimension: 'all', value: '' },
    { ...share, dimension: 'channel', value: channel },
    { ...share, dimension: 'country', value: country },
  ];
};

const categoriesOf = ({ lines }: OrderSale, current: ReadonlyMap<string, string>): CountedOrder['categories'] =>
  Object.fromEntries(lines.flatMap(({ product }) => (current.has(product) ? [[product, current.get(product)!]] : [])));

/** Counts the orders as they are now. The caller must hold the lock of `lockSums`. */
export const recount = async (sql: Sql, tenant: Tenant, ids: readonly string[]): Promise<void> => {
  const [orders, known] = await Promise.all([findSales(sql, tenant, ids), findCounted(sql, tenant, ids)]);
  const movements = await movementsOfOrders(sql, tenant, orders);
  const before = new Map(known.map((counted) => [counted.order_id, counted]));
  const fresh = orders.filter(({ id }) => !before.has(id)).flatMap(({ lines }) => lines.map(({ product }) => product));
  const current = fresh.length === 0 ? new Map<string, string>() : await categoriesOfProducts(sql, tenant, fresh);
  const ofOrder = Map.groupBy(movements, ({ order }) => order);
  const after = orders.map((order) => {
    const categories = before.get(order.id)?.categories ?? categoriesOf(order, current);
    return countedOrder(tenant, order, ofOrder.get(order.id) ?? [], categories, before.get(order.id)?.country);
  });

  const replaced = after.flatMap(({ order_id }) => before.get(order_id) ?? []);
  await addSales(sql, tenant, [
    ...after.flatMap((order) => sharesOf(order, 1)),
    ...replaced.flatMap((order) => sharesOf(order, -1)),
  ]);
  await addSteps(sql, tenant, [
    ...after.flatMap(({ steps }) => steps),
    ...replaced.flatMap(({ steps }) => steps.map((share) => ({ ...share, count: -share.count }))),
  ]);
  const isSame = (order: CountedOrder): boolean => JSON.stringify(order) === JSON.stringify(before.get(order.order_id));
  await saveCounted(
    sql,
    tenant,
    after.filter((order) => !isSame(order)),
  );
  const changed = await renewReturns(
    sql,
    tenant,
    earliest(after.flatMap((order) => changedBuyers(before.get(order.order_id), order))),
    after.filter(({ is_live }) => !is_live).map(({ order_id }) => order_id),
  );
  await addSales(sql, tenant, changed.flatMap(returnShares));
};
