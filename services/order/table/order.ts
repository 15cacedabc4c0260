// SQL of orders with their lines, refunds and shipments, and of their totals in the ledger.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { LineRecord, OrderRecord, RefundRecord, ShipmentRecord, WholeOrder } from '#services/order/order.ts';
import { normalEmail } from '#values/text.ts';

export interface Purchase {
  readonly customer: string;
  readonly product: string;
  readonly order: string | null;
}

/**
 * Returns whether the customer ordered and paid for the product. Cancelled or fully refunded orders do not count as
 * paid.
 */
export const findPurchase = async (
  sql: Sql,
  { store, environment }: Tenant,
  { customer, product, order }: Purchase,
): Promise<{ readonly paid: boolean; readonly named: boolean }> => {
  const [found] = await sql<{ paid: boolean; named: boolean }[]>`
    select
      coalesce(bool_or(o.payment_status in ('paid', 'partially_refunded') and o.order_status <> 'cancelled'), false)
        as paid,
      coalesce(bool_or(o.id = ${order}::uuid), false) as named
    from orders.order o
    where o.store = ${store} and o.environment = ${environment} and o.customer_id = ${customer}
      and exists (
        select from orders.line l
        where l.store = o.store and l.environment = o.environment and l.order_id = o.id and l.product_id = ${product}
      )`;
  return found!;
};

export interface LedgerTotals {
  /** Received through providers or outside of them, without gift cards and store credit. In minor units. */
  readonly received: number;
  readonly refunded: number;
}

export const ledgerTotalsOf = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  currency: string,
): Promise<LedgerTotals> => {
  const [row] = await sql<LedgerTotals[]>`
    select
      coalesce(sum(e.amount) filter (where p.kind in ('payment_received', 'paid_elsewhere')), 0)::bigint as received,
      coalesce(-sum(e.amount) filter (where p.kind in ('refunded', 'refund_failed')), 0)::bigint as refunded
    from ledger.posting p
    join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
      and e.kind = 'order' and e.subject = p.order_id and e.currency = p.currency
    where p.store = ${store} and p.environment = ${environment} and p.order_id = ${order} and p.currency = ${currency}`;
  return row!;
};

type Row = Omit<OrderRecord, 'number'> & {
  readonly number: number;
  readonly lines: readonly LineRecord[];
  readonly refunds: readonly (Omit<RefundRecord, 'created_at'> & { readonly created_at: string })[];
  readonly shipments: readonly (Omit<ShipmentRecord, 'created_at'> & { readonly created_at: string })[];
};

const wholeOf = (row: Row): WholeOrder => ({
  ...row,
  refunds: row.refunds.map((refund) => ({ ...refund, created_at: new Date(refund.created_at) })),
  shipments: row.shipments.map((shipment) => ({ ...shipment, created_at: new Date(shipment.created_at) })),
});

const parts = (sql: Sql) => sql`
  coalesce((
    select json_agg(json_build_object('id', l.id, 'product_id', l.product_id, 'variant_id', l.variant_id,
      'name', l.name, 'variant_name', l.variant_name, 'sku', l.sku, 'quantity', l.quantity,
      'requires_shipping', l.requires_shipping, 'quantity_shipped', l.quantity_shipped, 'quantity_returned', l.quantity_returned,
      'quantity_returned_unshipped', l.quantity_returned_unshipped, 'quantity_restocked', l.quantity_restocked,
      'unit_price', l.unit_price, 'subtotal', l.subtotal, 'discount', l.discount, 'tax_amount', l.tax_amount,
      'total', l.total) order by l.position)
    from orders.line l where l.store = o.store and l.environment = o.environment and l.order_id = o.id
  ), '[]') as lines,
  coalesce((
    select json_agg(json_build_object('id', r.id, 'amount', r.amount, 'reason', r.reason, 'status', r.status,
      'created_at', r.created_at) order by r.created_at, r.id)
    from orders.refund r where r.store = o.store and r.environment = o.environment and r.order_id = o.id
  ), '[]') as refunds,
  coalesce((
    select json_agg(json_build_object('id', s.id, 'carrier', s.carrier, 'service', s.service,
      'tracking_number', s.tracking_number, 'tracking_url', s.tracking_url, 'label_url', s.label_url,
      'rate_id', s.rate_id, 'source', s.source, 'fee', s.fee, 'items', s.items, 'created_at', s.created_at)
      order by s.created_at, s.id)
    from orders.shipment s where s.store = o.store and s.environment = o.environment and s.order_id = o.id
  ), '[]') as shipments`;

const COLUMNS = [
  'id',
  'number',
  'attempt',
  'origin',
  'customer_id',
  'email',
  'order_status',
  'payment_status',
  'currency',
  'subtotal',
  'discount_total',
  'shipping_total',
  'shipping_tax',
  'tax_total',
  'total_amount',
  'gift_card_total',
  'store_credit_total',
  'amount_paid',
  'amount_refunded',
  'amount_released',
  'shipping_address',
  'billing_address',
  'shipping_option_id',
  'shipping_option_name',
  'shipping_rate',
  'tracking_number',
  'carrier',
  'tracking_url',
  'applied_promotions',
  'note',
  'metadata',
  'return_window_days',
  'delivered_at',
  'created_at',
  'updated_at',
  'books',
] as const satisfies readonly (keyof OrderRecord)[];

const columns = (sql: Sql) => sql.unsafe(COLUMNS.map((name) => `o.${name}`).join(', '));

export const findOrder = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<WholeOrder | null> => {
  const [row] = await sql<Row[]>`
    select ${columns(sql)}, ${parts(sql)} from orders.order o
    where o.store = ${store} and o.environment = ${environment} and o.id = ${id}`;
  return row ? wholeOf(row) : null;
};

export const lockOrder = async (sql: Sql, tenant: Tenant, id: string): Promise<WholeOrder | null> => {
  const { store, environment } = tenant;
  const held = await sql`
    select 1 from orders.order where store = ${store} and environment = ${environment} and id = ${id}
    for no key update`;
  return held.length === 0 ? null : findOrder(sql, tenant, id);
};

export interface OrderFilter {
  readonly customer: string | null;
  readonly orderStatus: string | null;
  readonly paymentStatus: string | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
  readonly number: number | null;
  readonly search: string | null;
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
}

/** Selects the ids of the orders that a search finds. Each branch of the union reads one index. */
const idsFor = (sql: Sql, { store, environment }: Tenant, search: string) => {
  const number = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : null;
  const prefix = `${normalEmail(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`
    select id from orders.order where store = ${store} and environment = ${environment} and number = ${number}
    union select id from orders.order where store = ${store} and environment = ${environment}
      and normalize(lower(normalize(email, NFC)), NFC) like ${prefix}
    union select order_id from orders.line where store = ${store} and environment = ${environment} and sku = ${search}`;
};

export const pageOfOrders = async (
  sql: Sql,
  { store, environment }: Tenant,
  filter: OrderFilter,
): Promise<WholeOrder[]> => {
  const { before } = filter;
  const rows = await sql<Row[]>`
    select ${columns(sql)}, ${parts(sql)} from orders.order o
    where o.store = ${store} and o.environment = ${environment}
      ${filter.customer === null ? sql`` : sql`and o.customer_id = ${filter.customer}`}
      ${filter.orderStatus === null ? sql`` : sql`and o.order_status = ${filter.orderStatus}`}
      ${filter.paymentStatus === null ? sql`` : sql`and o.payment_status = ${filter.paymentStatus}`}
      ${filter.createdAfter === null ? sql`` : sql`and o.created_at > ${filter.createdAfter}`}
      ${filter.createdBefore === null ? sql`` : sql`and o.created_at < ${filter.createdBefore}`}
      ${filter.number === null ? sql`` : sql`and o.number = ${filter.number}`}
      ${filter.search === null ? sql`` : sql`and o.id in (${idsFor(sql, { store, environment }, filter.search)})`}
      ${before === null ? sql`` : sql`and (o.created_at, o.id) < (${before.createdAt}, ${before.id})`}
    order by o.created_at desc, o.id desc limit ${filter.limit}`;
  return rows.map(wholeOf);
};

export const insertOrders = async (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly WholeOrder[],
): Promise<void> => {
  const rows = orders.map(({ lines: _lines, refunds: _refunds, shipments: _shipments, ...order }) => order);
  const lines = orders.flatMap(({ id, lines }) => lines.map((line, position) => ({ ...line, order_id: id, position })));
  await sql`
    with placed as (
      insert into orders.order (store, environment, id, number, attempt, origin, customer_id, email, order_status,
        payment_status, currency, subtotal, discount_total, shipping_total, shipping_tax, tax_total, total_amount,
        gift_card_total, store_credit_total, amount_paid, amount_refunded, shipping_address, billing_address,
        shipping_option_id, shipping_option_name, shipping_rate, carrier, applied_promotions, note, metadata,
        return_window_days, created_at, updated_at, books)
      select ${store}, ${environment}, o.*
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as o (id uuid, number bigint, attempt uuid,
        origin json, customer_id uuid, email text, order_status text, payment_status text, currency text,
        subtotal bigint, discount_total bigint, shipping_total bigint, shipping_tax bigint, tax_total bigint,
        total_amount bigint, gift_card_total bigint, store_credit_total bigint, amount_paid bigint,
        amount_refunded bigint, shipping_address json, billing_address json, shipping_option_id text,
        shipping_option_name text, shipping_rate json, carrier text, applied_promotions json, note text, metadata json,
        return_window_days integer, created_at timestamptz, updated_at timestamptz, books json)
    )
    insert into orders.line (store, environment, order_id, id, position, product_id, variant_id, name, variant_name,
      sku, quantity, requires_shipping, unit_price, subtotal, discount, tax_amount, total)
    select ${store}, ${environment}, l.*
    from json_to_recordset(${JSON.stringify(lines)}::text::json) as l (order_id uuid, id uuid, position integer,
      product_id uuid, variant_id uuid, name text, variant_name text, sku text, quantity integer,
      requires_shipping boolean, unit_price bigint, subtotal bigint, discount bigint, tax_amount bigint, total bigint)`;
};

export const updateOrder = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: OrderRecord,
): Promise<WholeOrder> => {
  const [row] = await sql<Row[]>`
    update orders.order o set order_status = ${order.order_status}, payment_status = ${order.payment_status},
      email = ${order.email}, amount_paid = ${order.amount_paid}, amount_refunded = ${order.amount_refunded},
      amount_released = ${order.amount_released},
      gift_card_total = ${order.gift_card_total}, store_credit_total = ${order.store_credit_total},
      shipping_address = ${order.shipping_address === null ? null : JSON.stringify(order.shipping_address)}::text::json,
      billing_address = ${order.billing_address === null ? null : JSON.stringify(order.billing_address)}::text::json,
      tracking_number = ${order.tracking_number}, carrier = ${order.carrier}, tracking_url = ${order.tracking_url},
      note = ${order.note}, metadata = ${JSON.stringify(order.metadata)}::text::json,
      delivered_at = ${order.delivered_at}, updated_at = ${order.updated_at}
    where o.store = ${store} and o.environment = ${environment} and o.id = ${order.id}
    returning ${columns(sql)}, ${parts(sql)}`;
  return wholeOf(row!);
};

export interface LineMovement {
  readonly line: string;
  readonly shipped?: number;
  readonly returned?: number;
  readonly returnedUnshipped?: number;
  readonly restocked?: number;
}

export const moveUnits = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  moved: readonly LineMovement[],
): Promise<void> => {
  if (moved.length === 0) return;
  const counts = (name: keyof Omit<LineMovement, 'line'>): number[] => moved.map((movement) => movement[name] ?? 0);
  await sql`
    update orders.line l set quantity_shipped = l.quantity_shipped + moved.shipped,
      quantity_returned = l.quantity_returned + moved.returned,
      quantity_returned_unshipped = l.quantity_returned_unshipped + moved.returned_unshipped,
      quantity_restocked = l.quantity_restocked + moved.restocked
    from unnest(${moved.map(({ line }) => line)}::uuid[], ${counts('shipped')}::integer[], ${counts('returned')}::integer[],
      ${counts('returnedUnshipped')}::integer[], ${counts('restocked')}::integer[]
    ) as moved (line, shipped, returned, returned_unshipped, restocked)
    where l.store = ${store} and l.environment = ${environment} and l.order_id = ${order} and l.id = moved.line`;
};

export const insertRefund = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  refund: RefundRecord,
  items: unknown,
): Promise<void> => {
  await sql`
    insert into orders.refund (store, environment, order_id, id, amount, reason, status, items, created_at)
    values (${store}, ${environment}, ${order}, ${refund.id}, ${refund.amount}, ${refund.reason}, ${refund.status},
      ${JSON.stringify(items)}::text::json, ${refund.created_at})`;
};

export const setRefundStatus = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  refund: string,
  status: RefundRecord['status'],
): Promise<void> => {
  await sql`
    update orders.refund set status = ${status}
    where store = ${store} and environment = ${environment} and order_id = ${order} and id = ${refund}`;
};

export const insertShipment = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  shipment: ShipmentRecord,
): Promise<void> => {
  await sql`
    insert into orders.shipment (store, environment, order_id, id, carrier, service, tracking_number, tracking_url,
      label_url, rate_id, source, fee, items, created_at)
    values (${store}, ${environment}, ${order}, ${shipment.id}, ${shipment.carrier}, ${shipment.service},
      ${shipment.tracking_number}, ${shipment.tracking_url}, ${shipment.label_url}, ${shipment.rate_id},
      ${shipment.source}, ${shipment.fee}, ${JSON.stringify(shipment.items)}::text::json, ${shipment.created_at})`;
};

export const findFollowUp = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<(Pick<OrderRecord, 'attempt' | 'origin'> & { readonly variants: readonly string[] }) | null> => {
  const [row] = await sql<(Pick<OrderRecord, 'attempt' | 'origin'> & { variants: string[] })[]>`
    select o.attempt, o.origin, array(
      select l.variant_id from orders.line l
      where l.store = o.store and l.environment = o.environment and l.order_id = o.id
    ) as variants
    from orders.order o where o.store = ${store} and o.environment = ${environment} and o.id = ${id}`;
  return row ?? null;
};
