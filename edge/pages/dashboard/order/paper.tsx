// Papers of an order for the printer: a packing slip without prices, and an invoice.
import { at, type ScreenProps, useFormats, useRecord, useStore, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { PageHead } from '#edge/pages/design/display.tsx';
import { Table, type TableColumn } from '#edge/pages/design/table.tsx';
import type { OrderLine, StoreOrder } from '#proto/client/dashboard.ts';
import { PostalAddress } from './address.tsx';
import { Totals } from './totals.tsx';

const ITEM: TableColumn<OrderLine> = {
  id: 'name',
  name: 'Item',
  cell: ({ name, variant_name, sku }) => (
    <>
      {[name, variant_name].filter(Boolean).join(', ')}
      {sku && <div class="soft">{sku}</div>}
    </>
  ),
};

interface PaperProps {
  readonly id: string;
  readonly title: string;
  readonly priced: boolean;
}

const PaperOf = ({ order, title, priced }: Omit<PaperProps, 'id'> & { readonly order: StoreOrder }) => {
  const { money, date, number } = useFormats();
  const store = useStore();
  const columns: readonly TableColumn<OrderLine>[] = [
    ITEM,
    { id: 'units', name: 'Units', number: true, cell: ({ quantity }) => number(quantity) },
    ...(priced
      ? [
          {
            id: 'price',
            name: 'Price',
            number: true,
            cell: ({ unit_price }: OrderLine) => money(unit_price, order.currency),
          },
          {
            id: 'amount',
            name: 'Amount',
            number: true,
            cell: ({ subtotal }: OrderLine) => money(subtotal, order.currency),
          },
        ]
      : []),
  ];
  return (
    <article class="paper stack">
      <PageHead
        title={`${title} ${order.order_number}`}
        up={{ label: `Order ${order.order_number}`, to: at(`orders/${order.id}`) }}
      >
        <Button tone="primary" press={() => print()}>
          Print
        </Button>
      </PageHead>
      <div class="columns">
        <div>
          <h2>{store.name}</h2>
          <p>{date(order.created_at)}</p>
        </div>
        <div>
          <h2>Deliver to</h2>
          <PostalAddress address={order.shipping_address} />
        </div>
        {priced && (
          <div>
            <h2>Bill to</h2>
            <PostalAddress address={order.billing_address ?? order.shipping_address} />
            <p>{order.email}</p>
          </div>
        )}
      </div>
      <Table label="Items" rows={order.items} idOf={({ id }) => id} columns={columns} />
      {priced && <Totals order={order} />}
      {!priced && order.note && <p>{order.note}</p>}
    </article>
  );
};

const Paper = ({ id, title, priced }: PaperProps) => {
  const loaded = useRecord((api) => api.orders.get({ id }), [id]);
  return (
    <WhenLoaded loaded={loaded}>{({ order }) => <PaperOf order={order} title={title} priced={priced} />}</WhenLoaded>
  );
};

export const PackingSlip = ({ params: { id = '' } }: ScreenProps) => (
  <Paper id={id} title="Packing slip" priced={false} />
);

export const InvoicePaper = ({ params: { id = '' } }: ScreenProps) => <Paper id={id} title="Invoice" priced />;
