// Requests, quotes, purchase orders and invoices: a tab for each, with its filter in the address.
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  useFilters,
  useFormats,
  useList,
  useStatus,
  useStore,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf } from '#edge/pages/dashboard/status.tsx';
import { Empty, Note, PageHead, Tabs } from '#edge/pages/design/display.tsx';
import type { Invoice, PurchaseOrder, Rfq, WholesaleQuote } from '#proto/client/dashboard.ts';
import { DealBadge } from './deal.tsx';

const RFQ_STATUSES = ['submitted', 'quoted', 'closed', 'cancelled'] as const;
const QUOTE_STATUSES = ['sent', 'accepted', 'rejected', 'expired'] as const;
const ORDER_STATUSES = ['issued', 'confirmed', 'fulfilled', 'cancelled'] as const;
const INVOICE_STATUSES = ['issued', 'overdue', 'paid', 'void'] as const;

const StatusFilter = ({ statuses }: { readonly statuses: readonly string[] }) => (
  <FilterBar>
    <ChoiceFilter name="status" label="Status" options={optionsOf(statuses)} />
  </FilterBar>
);

const Requests = () => {
  const { number, moment } = useFormats();
  const filter = useStatus(RFQ_STATUSES);
  const list = useList((api, page) => api.b2b.rfqs.list({ ...page, ...filter }), 'data', ['requests', filter.status]);
  return (
    <>
      <StatusFilter statuses={RFQ_STATUSES} />
      <ListTable<Rfq>
        label="Requests for quotes"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`wholesale/requests/${id}`)}
        empty={
          <Empty title="No request matches" icon="wholesale">
            <p>Buyers ask for quotes in your shop.</p>
          </Empty>
        }
        columns={[
          { id: 'number', name: 'Request', cell: ({ rfq_number }) => rfq_number },
          { id: 'items', name: 'Items', number: true, cell: ({ items }) => number(items.length) },
          { id: 'note', name: 'Note', cell: ({ note }) => note?.slice(0, 80), desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <DealBadge status={status} /> },
          { id: 'at', name: 'Received', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const Quotes = () => {
  const { money, moment } = useFormats();
  const filter = useStatus(QUOTE_STATUSES);
  const list = useList((api, page) => api.b2b.quotes.list({ ...page, ...filter }), 'data', ['quotes', filter.status]);
  return (
    <>
      <StatusFilter statuses={QUOTE_STATUSES} />
      <ListTable<WholesaleQuote>
        label="Quotes"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`wholesale/quotes/${id}`)}
        empty={
          <Empty title="No quote matches" icon="wholesale">
            <p>Open a request to answer it with a quote.</p>
          </Empty>
        }
        columns={[
          { id: 'number', name: 'Quote', cell: ({ quote_number }) => quote_number },
          { id: 'total', name: 'Total', number: true, cell: ({ total, currency }) => money(total, currency) },
          { id: 'status', name: 'Status', cell: ({ status }) => <DealBadge status={status} /> },
          { id: 'until', name: 'Valid until', cell: ({ valid_until }) => moment(valid_until), desk: true },
          { id: 'at', name: 'Sent', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const PurchaseOrders = () => {
  const { money, moment } = useFormats();
  const filter = useStatus(ORDER_STATUSES);
  const list = useList((api, page) => api.b2b.purchaseOrders.list({ ...page, ...filter }), 'data', [
    'orders',
    filter.status,
  ]);
  return (
    <>
      <StatusFilter statuses={ORDER_STATUSES} />
      <ListTable<PurchaseOrder>
        label="Purchase orders"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`wholesale/orders/${id}`)}
        empty={
          <Empty title="No purchase order matches" icon="wholesale">
            <p>A buyer orders what an accepted quote offers.</p>
          </Empty>
        }
        columns={[
          { id: 'number', name: 'Order', cell: ({ po_number }) => po_number },
          { id: 'buyer', name: 'Buyer', cell: ({ shipping_address }) => shipping_address.company, desk: true },
          { id: 'total', name: 'Total', number: true, cell: ({ total, currency }) => money(total, currency) },
          { id: 'status', name: 'Status', cell: ({ status }) => <DealBadge status={status} /> },
          { id: 'at', name: 'Issued', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const Invoices = () => {
  const { money, date } = useFormats();
  const filter = useStatus(INVOICE_STATUSES);
  const list = useList((api, page) => api.b2b.invoices.list({ ...page, ...filter }), 'data', [
    'invoices',
    filter.status,
  ]);
  return (
    <>
      <StatusFilter statuses={INVOICE_STATUSES} />
      <ListTable<Invoice>
        label="Invoices"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`wholesale/invoices/${id}`)}
        empty={
          <Empty title="No invoice matches" icon="wholesale">
            <p>Open a confirmed purchase order to bill it.</p>
          </Empty>
        }
        columns={[
          { id: 'number', name: 'Invoice', cell: ({ invoice_number }) => invoice_number },
          { id: 'total', name: 'Total', number: true, cell: ({ total, currency }) => money(total, currency) },
          {
            id: 'open',
            name: 'Open',
            number: true,
            desk: true,
            cell: ({ amount_due, currency }) => money(amount_due, currency),
          },
          { id: 'status', name: 'Status', cell: ({ status }) => <DealBadge status={status} /> },
          { id: 'due', name: 'Due', cell: ({ due_at }) => date(due_at), desk: true },
        ]}
      />
    </>
  );
};

const KINDS = [
  { kind: 'requests', label: 'Requests', List: Requests },
  { kind: 'quotes', label: 'Quotes', List: Quotes },
  { kind: 'orders', label: 'Purchase orders', List: PurchaseOrders },
  { kind: 'invoices', label: 'Invoices', List: Invoices },
] as const;

export const WholesaleList = () => {
  const [query] = useFilters();
  const store = useStore();
  const shown = KINDS.find(({ kind }) => kind === query.get('kind')) ?? KINDS[0];
  const { List } = shown;
  return (
    <>
      <PageHead title="Wholesale" />
      {store.wholesale_enabled ? (
        <>
          <Tabs
            label="Steps of a deal"
            tabs={KINDS.map(({ kind, label }) => ({
              label,
              to: at('wholesale', { kind }),
              current: kind === shown.kind,
            }))}
          />
          <List key={shown.kind} />
        </>
      ) : (
        <Note>This store does not sell to businesses.</Note>
      )}
    </>
  );
};
