// Group orders of the marketplace: the list, and one with the order and the payment of each merchant.
import { useState } from 'preact/hooks';
import {
  at,
  ListTable,
  type LoadedList,
  type ScreenProps,
  useCan,
  useFormats,
  useList,
  useRecord,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Empty, Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { CheckoutGroup, CheckoutOrder, ListedPayment } from '#proto/client/dashboard.ts';
import { merchantName, useMerchants } from './merchant.ts';
import { GroupPayment } from './payment.tsx';

export const GroupOrderTable = ({ list }: { readonly list: LoadedList<CheckoutGroup> }) => {
  const { money, moment, number } = useFormats();
  return (
    <ListTable<CheckoutGroup>
      label="Group orders"
      list={list}
      idOf={({ group_id }) => group_id}
      nameOf={({ email }) => email}
      to={({ group_id }) => at(`group-orders/${group_id}`)}
      empty={
        <Empty title="No group order yet" icon="order">
          <p>A checkout over several merchants is listed here.</p>
        </Empty>
      }
      columns={[
        { id: 'email', name: 'Buyer', cell: ({ email }) => email },
        { id: 'status', name: 'Payment', cell: ({ status }) => <StatusBadge status={status} /> },
        { id: 'orders', name: 'Merchants', number: true, desk: true, cell: ({ orders }) => number(orders.length) },
        { id: 'created', name: 'Placed', desk: true, cell: ({ created_at }) => moment(created_at) },
        {
          id: 'due',
          name: 'Due',
          number: true,
          desk: true,
          cell: ({ amount_due, currency }) => money(amount_due, currency),
        },
        { id: 'total', name: 'Total', number: true, cell: ({ total, currency }) => money(total, currency) },
      ]}
    />
  );
};

export const GroupOrderList = () => {
  const list = useList((api, page) => api.cart.checkout.list(page), 'checkouts', []);
  return (
    <>
      <PageHead title="Group orders" />
      <GroupOrderTable list={list} />
    </>
  );
};

const Orders = ({ group }: { readonly group: CheckoutGroup }) => {
  const { money } = useFormats();
  const { value: merchants } = useMerchants();
  return (
    <Sheet title="Orders of the merchants" flush>
      <Table<CheckoutOrder>
        label="Orders of the merchants"
        rows={group.orders}
        idOf={({ order_id }) => order_id}
        columns={[
          {
            id: 'merchant',
            name: 'Merchant',
            cell: ({ store_id, order_number }) => (
              <>
                {merchantName(merchants, store_id)}
                <div class="soft">Order {order_number}</div>
              </>
            ),
          },
          { id: 'order', name: 'Order', cell: ({ order_status }) => <StatusBadge status={order_status} /> },
          { id: 'payment', name: 'Payment', cell: ({ payment_status }) => <StatusBadge status={payment_status} /> },
          {
            id: 'due',
            name: 'Due',
            number: true,
            desk: true,
            cell: ({ amount_due }) => money(amount_due, group.currency),
          },
          { id: 'total', name: 'Total', number: true, cell: ({ total }) => money(total, group.currency) },
        ]}
      />
    </Sheet>
  );
};

interface PaymentsProps {
  readonly group_id: string;
  readonly currency: string;
}

const Payments = ({ group_id, currency }: PaymentsProps) => {
  const { money, moment } = useFormats();
  const list = useList((api, page) => api.cart.checkout.payments.list({ ...page, group_id }), 'payments', [group_id]);
  return (
    <section class="stack">
      <h2>Payments</h2>
      <ListTable<ListedPayment>
        label="Payments"
        list={list}
        idOf={({ id }) => id}
        empty={<Empty title="No payment yet" icon="figure" />}
        columns={[
          {
            id: 'provider',
            name: 'Payment',
            cell: ({ provider, reference, failure }) => (
              <>
                {provider}
                <div class="soft">{failure ?? reference}</div>
              </>
            ),
          },
          {
            id: 'status',
            name: 'Status',
            cell: ({ status, needs_review }) => (
              <span class="row">
                <StatusBadge status={status} />
                {needs_review && <Badge tone="warn">to check</Badge>}
              </span>
            ),
          },
          { id: 'begun', name: 'Begun', desk: true, cell: ({ created_at }) => moment(created_at) },
          { id: 'paid', name: 'Paid', desk: true, cell: ({ paid_at }) => (paid_at ? moment(paid_at) : '–') },
          {
            id: 'refunded',
            name: 'Refunded',
            number: true,
            desk: true,
            cell: ({ amount_refunded }) => money(amount_refunded, currency),
          },
          { id: 'amount', name: 'Amount', number: true, cell: ({ amount }) => money(amount, currency) },
        ]}
      />
    </section>
  );
};

export const GroupOrderScreen = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const { money, moment } = useFormats();
  const [pays, setPays] = useState(false);
  const loaded = useRecord((api) => api.cart.checkout.get({ group_id: id }), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ checkout: group }) => (
        <div class="stack">
          <PageHead
            title={`Group order of ${group.email}`}
            up={{ label: 'Group orders', to: at('group-orders') }}
            badge={<StatusBadge status={group.status} />}
          >
            {can('payments:write') && group.amount_due > 0 && (
              <Button tone="primary" press={() => setPays(true)}>
                Payment link
              </Button>
            )}
          </PageHead>
          <Sheet>
            <Facts
              facts={[
                ['Placed', moment(group.created_at)],
                ['Buyer', group.email],
                ['Total', money(group.total, group.currency)],
                ['Still due', money(group.amount_due, group.currency)],
              ]}
            />
          </Sheet>
          <Orders group={group} />
          {can('payments:read') && <Payments key={`${pays}`} group_id={group.group_id} currency={group.currency} />}
          {pays && (
            <GroupPayment
              group={group}
              close={() => {
                setPays(false);
                loaded.refresh();
              }}
            />
          )}
        </div>
      )}
    </WhenLoaded>
  );
};
