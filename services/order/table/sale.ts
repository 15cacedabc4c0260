// SQL of orders as reports count them.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { BookedOrder } from '#services/order/booked_order.ts';
import type { OrderRecord } from '#services/order/order.ts';
import { inProportion } from '#values/exchange.ts';

/** Amounts are in minor units. */
export interface OrderSale
  extends Pick<
    OrderRecord,
    | 'id'
    | 'origin'
    | 'customer_id'
    | 'email'
    | 'order_status'
    | 'payment_status'
    | 'currency'
    | 'subtotal'
    | 'discount_total'
    | 'shipping_total'
    | 'tax_total'
    | 'total_amount'
    | 'amount_released'
    | 'created_at'
    | 'books'
  > {
  readonly country: string | null;
  readonly lines: readonly {
    readonly id: string;
    readonly product: string;
    readonly quantity: number;
    readonly gross: number;
    readonly discount: number;
    readonly tax: number;
    readonly total: number;
  }[];
  readonly refunds: readonly {
    readonly id: string;
    readonly units: readonly { readonly line: string; readonly quantity: number }[];
  }[];
}

/** Returns the worth of the uncaptured rest: the total without the worth that the ledger posts for the capture. */
const releasedWorth = ({ total }: BookedOrder, { amount_released, total_amount }: OrderSale): number =>
  amount_released === 0 ? 0 : total - inProportion(total, total_amount - amount_released, total_amount);

/** Returns a sale with its amounts in the currency of the store's books. */
const inBooks = (sale: OrderSale): OrderSale => {
  const { books } = sale;
  if (books === null) return sale;
  const { currency, subtotal, discount_total, shipping_total, tax_total, total } = books;
  return {
    ...sale,
    currency,
    subtotal,
    discount_total,
    shipping_total,
    tax_total,
    total_amount: total,
    amount_released: releasedWorth(books, sale),
    lines: sale.lines.map((line, at) => {
      const own = books.lines[at]!;
      return { ...line, gross: own.subtotal, discount: own.discount, tax: own.tax_amount, total: own.total };
    }),
  };
};

/** Returns the orders with their amounts in the currency of the store's books. */
export const findSales = async (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly string[],
): Promise<readonly OrderSale[]> => {
  const sales = await sql<OrderSale[]>`
  select o.id, o.origin, o.customer_id, o.email, o.order_status, o.payment_status, o.currency, o.subtotal,
    o.discount_total, o.shipping_total, o.tax_total, o.total_amount, o.amount_released, o.created_at,
    o.books,
    coalesce(o.shipping_address->>'country', o.billing_address->>'country') as country,
    (
      select json_agg(json_build_object('id', l.id, 'product', l.product_id, 'quantity', l.quantity,
        'gross', l.subtotal, 'discount', l.discount, 'tax', l.tax_amount, 'total', l.total) order by l.position)
      from orders.line l where l.store = o.store and l.environment = o.environment and l.order_id = o.id
    ) as lines,
    coalesce((
      select json_agg(json_build_object('id', r.id, 'units', r.items) order by r.created_at, r.id)
      from orders.refund r where r.store = o.store and r.environment = o.environment and r.order_id = o.id
    ), '[]') as refunds
  from orders.order o
  where o.store = ${store} and o.environment = ${environment} and o.id = any(${[...orders]}::uuid[])`;
  return sales.map(inBooks);
};

export interface OrderPlaceMark {
  readonly store: string;
  readonly environment: Tenant['environment'];
  readonly id: string;
}

export const ordersAfter = (sql: Sql, after: OrderPlaceMark, limit: number): Promise<readonly OrderPlaceMark[]> =>
  sql<OrderPlaceMark[]>`
    select store, environment, id from orders.order
    where (store, environment, id) > (${after.store}::uuid, ${after.environment}, ${after.id}::uuid)
    order by store, environment, id limit ${limit}`;
