// The list of orders: filters in the address, bulk shipping, and a CSV of the filtered or selected orders.
import { useState } from 'preact/hooks';
import {
  at,
  ChoiceFilter,
  ColumnFilter,
  DateFilter,
  FilterBar,
  ListTable,
  ProblemNote,
  SearchFilter,
  useCan,
  useColumnChoice,
  useFilters,
  useFormats,
  useList,
  useStore,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf, StatusBadge } from '#edge/pages/dashboard/status.tsx';
import { Button, LinkButton } from '#edge/pages/design/button.tsx';
import { addDays, startOfDay } from '#edge/pages/design/day.ts';
import { EmailText, Empty, PageHead } from '#edge/pages/design/display.tsx';
import { downloadText } from '#edge/pages/design/download.ts';
import { SelectionBar, type TableColumn, useSelection } from '#edge/pages/design/table.tsx';
import type { StoreOrder } from '#proto/client/dashboard.ts';
import { BulkShip } from './bulk_ship.tsx';
import { ordersCsv } from './csv.ts';

/** A larger export comes from the API, page by page. */
const CSV_ROWS_MAX = 10_000;

const ORDER_STATUSES = optionsOf(['pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled']);
const PAYMENT_STATUSES = optionsOf([
  'pending',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
  'voided',
]);
/** Shown once they are chosen. */
const EXTRA_COLUMNS = ['city', 'tracking', 'due'];
const SHIPPABLE = ['confirmed', 'processing'];

const useOrderFilters = () => {
  const [query] = useFilters();
  const { timezone } = useStore();
  const from = startOfDay(query.get('from') ?? '', timezone);
  const to = query.get('to');
  const until = to === null ? null : startOfDay(addDays(to, 1), timezone);
  return Object.fromEntries(
    Object.entries({
      search: query.get('search'),
      order_status: query.get('order_status'),
      payment_status: query.get('payment_status'),
      customer_id: query.get('customer_id'),
      created_after: from,
      created_before: until,
    }).filter(([, value]) => value !== null && value !== ''),
  );
};

const useColumns = (): readonly TableColumn<StoreOrder>[] => {
  const { money, moment, number } = useFormats();
  return [
    {
      id: 'number',
      name: 'Order',
      cell: ({ order_number, email }) => (
        <>
          #{order_number}
          <small class="phone">
            <EmailText email={email} />
          </small>
        </>
      ),
    },
    {
      id: 'placed',
      name: 'Placed',
      cell: ({ created_at }) => <time dateTime={created_at}>{moment(created_at)}</time>,
      desk: true,
    },
    { id: 'email', name: 'Customer', cell: ({ email }) => <EmailText email={email} />, desk: true },
    { id: 'status', name: 'Status', cell: ({ order_status }) => <StatusBadge status={order_status} /> },
    {
      id: 'payment',
      name: 'Payment',
      cell: ({ payment_status }) => <StatusBadge status={payment_status} />,
      desk: true,
    },
    {
      id: 'units',
      name: 'Units',
      cell: ({ items }) => number(items.reduce((units, { quantity }) => units + quantity, 0)),
      number: true,
      desk: true,
    },
    { id: 'city', name: 'City', cell: ({ shipping_address: to }) => to?.city ?? '–', desk: true },
    { id: 'tracking', name: 'Tracking number', cell: ({ tracking_number }) => tracking_number ?? '–', desk: true },
    {
      id: 'due',
      name: 'Due',
      cell: ({ amount_due, currency }) => money(amount_due, currency),
      number: true,
      desk: true,
    },
    {
      id: 'total',
      name: 'Total',
      cell: ({ total_amount, currency }) => money(total_amount, currency),
      number: true,
    },
  ];
};

export const OrderList = () => {
  const filters = useOrderFilters();
  const list = useList((api, page) => api.orders.list({ ...page, ...filters }), 'orders', [JSON.stringify(filters)]);
  const selection = useSelection();
  const columns = useColumnChoice(useColumns(), EXTRA_COLUMNS);
  const can = useCan();
  const exported = useWrite();
  const [shipping, setShipping] = useState(false);
  const selected = list.items.filter(({ id }) => selection.selected.has(id));

  const saveFiltered = (): void =>
    void exported.run(async (api) => {
      const orders: StoreOrder[] = [];
      for await (const order of api.orders.list({ ...filters, limit: 100 })) {
        orders.push(order);
        if (orders.length === CSV_ROWS_MAX) break;
      }
      downloadText('orders.csv', 'text/csv', ordersCsv(orders));
    });

  return (
    <>
      <PageHead title="Orders">
        <Button icon="file" busy={exported.busy} press={saveFiltered}>
          CSV
        </Button>
        {can('orders:write') && (
          <LinkButton tone="primary" icon="add" to={at('orders/new')}>
            New order
          </LinkButton>
        )}
      </PageHead>
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="Number, e-mail or SKU" />
        <ChoiceFilter name="order_status" label="Status" options={ORDER_STATUSES} />
        <ChoiceFilter name="payment_status" label="Payment" options={PAYMENT_STATUSES} />
        <DateFilter name="from" label="From" />
        <DateFilter name="to" label="To" />
        <ColumnFilter choice={columns} />
      </FilterBar>
      <ProblemNote problem={exported.problem} />
      <ListTable
        label="Orders"
        list={list}
        columns={columns.shown}
        idOf={({ id }) => id}
        nameOf={({ order_number }) => `order ${order_number}`}
        to={({ id }) => at(`orders/${id}`)}
        selection={selection}
        empty={
          <Empty title="No order matches" icon="order">
            <p>Orders appear here as soon as they are placed. Change the filters to see others.</p>
          </Empty>
        }
      >
        <SelectionBar selection={selection}>
          {can('orders:write') && (
            <Button
              tone="primary"
              disabled={!selected.some(({ order_status }) => SHIPPABLE.includes(order_status))}
              press={() => setShipping(true)}
            >
              Ship
            </Button>
          )}
          <Button press={() => downloadText('orders.csv', 'text/csv', ordersCsv(selected))}>CSV</Button>
        </SelectionBar>
      </ListTable>
      {shipping && (
        <BulkShip
          orders={selected.filter(({ order_status }) => SHIPPABLE.includes(order_status))}
          close={() => {
            setShipping(false);
            selection.select(new Set());
            list.refresh();
          }}
        />
      )}
    </>
  );
};
