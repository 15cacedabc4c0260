// One stock level: units on hand and held, what holds them, its adjustments, and the orders of the variant.
import { useState } from 'preact/hooks';
import {
  at,
  ListTable,
  type ScreenProps,
  useCan,
  useFormats,
  useList,
  useRecord,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Empty, Facts, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { NamedStockLevel, StockAdjustment, StoreOrder } from '#proto/client/dashboard.ts';
import { AdjustDialog, nameOf } from './adjust.tsx';
import { Holds } from './hold.tsx';

const signed = (number: (value: number) => string, units: number): string =>
  units > 0 ? `+${number(units)}` : number(units);

/** `turn` is another number after each adjustment. */
const Adjustments = ({ variant_id, turn }: { readonly variant_id: string; readonly turn: number }) => {
  const { moment, number } = useFormats();
  const list = useList((api, page) => api.inventory.adjustments.list({ ...page, variant_id }), 'adjustments', [
    variant_id,
    turn,
  ]);
  const columns: readonly TableColumn<StockAdjustment>[] = [
    { id: 'time', name: 'Time', cell: ({ created_at }) => moment(created_at) },
    { id: 'reason', name: 'Reason', cell: ({ reason }) => reason ?? <span class="soft">none</span> },
    { id: 'delta', name: 'Change', cell: ({ delta }) => signed(number, delta), number: true },
    { id: 'after', name: 'On hand', cell: ({ on_hand }) => number(on_hand), number: true, desk: true },
  ];
  return (
    <section class="stack">
      <h2>Adjustments</h2>
      <ListTable
        label="Adjustments"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <Empty title="No adjustment yet">
            <p>Those of the last two years are listed here.</p>
          </Empty>
        }
      />
    </section>
  );
};

const linesOf = (order: StoreOrder, variant: string) => order.items.filter(({ variant_id }) => variant_id === variant);

const Sales = ({ variant_id, sku }: { readonly variant_id: string; readonly sku: string }) => {
  const { moment, number } = useFormats();
  const list = useList((api, page) => api.orders.list({ ...page, search: sku }), 'orders', [sku]);
  // The search looks at order numbers and e-mail addresses too.
  const items = list.items.filter((order) => linesOf(order, variant_id).length > 0);
  const sum = (order: StoreOrder, field: 'quantity' | 'quantity_returned'): number =>
    linesOf(order, variant_id).reduce((units, line) => units + line[field], 0);
  const columns: readonly TableColumn<StoreOrder>[] = [
    { id: 'order', name: 'Order', cell: ({ order_number }) => `#${order_number}` },
    { id: 'time', name: 'Time', cell: ({ created_at }) => moment(created_at), desk: true },
    { id: 'status', name: 'Status', cell: ({ order_status }) => <StatusBadge status={order_status} /> },
    { id: 'sold', name: 'Units', cell: (order) => number(sum(order, 'quantity')), number: true },
    { id: 'returned', name: 'Returned', cell: (order) => number(sum(order, 'quantity_returned')), number: true },
  ];
  return (
    <section class="stack">
      <h2>Orders</h2>
      <ListTable
        label="Orders"
        list={{ ...list, items }}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => at(`orders/${id}`)}
        empty={<Empty title="No order yet" />}
      />
    </section>
  );
};

const Level = ({ level, refresh }: { readonly level: NamedStockLevel; readonly refresh: () => void }) => {
  const { product_id, variant_id, sku, on_hand, held, available, low_stock, low_stock_threshold } = level;
  const can = useCan();
  const { number } = useFormats();
  const [isAdjusting, setAdjusting] = useState(false);
  const [turn, setTurn] = useState(0);
  return (
    <>
      <PageHead
        title={nameOf(level)}
        up={{ label: 'Stock', to: at('stock') }}
        badge={low_stock && <Badge tone="warn">Low</Badge>}
      >
        {can('catalog:write') && (
          <Button tone="primary" press={() => setAdjusting(true)}>
            Adjust
          </Button>
        )}
      </PageHead>
      <Sheet title="Level" action={<a href={at(`products/${product_id}`)}>The product</a>}>
        <Facts
          facts={[
            ['SKU', sku ?? '–'],
            ['On hand', number(on_hand)],
            ['Held', number(held)],
            ['Available', number(available)],
            ['Low mark', low_stock_threshold === null ? 'The store’s' : number(low_stock_threshold)],
          ]}
        />
      </Sheet>
      <Holds variant_id={variant_id} turn={turn} />
      <Adjustments variant_id={variant_id} turn={turn} />
      {can('orders:read') &&
        (sku ? (
          <Sales variant_id={variant_id} sku={sku} />
        ) : (
          <Note>Orders of this variant are listed here once it has a SKU.</Note>
        ))}
      {isAdjusting && (
        <AdjustDialog
          level={level}
          close={() => setAdjusting(false)}
          adjusted={() => {
            setTurn((times) => times + 1);
            refresh();
          }}
        />
      )}
    </>
  );
};

export const StockDetail = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord(async (api) => (await api.inventory.list({ variant_id: id })).inventory, [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {([level]) =>
        level ? (
          <Level level={level} refresh={loaded.refresh} />
        ) : (
          <>
            <PageHead title="No such variant" up={{ label: 'Stock', to: at('stock') }} />
            <p>It may have been deleted.</p>
          </>
        )
      }
    </WhenLoaded>
  );
};
