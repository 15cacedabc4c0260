// The holds of a variant's units: checkouts, and orders that are being placed.
import { at, ListTable, useCan, useFormats, useList } from '#edge/pages/dashboard/page.ts';
import { Empty } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { InventoryUnitHold } from '#proto/client/dashboard.ts';

const NAMES: Readonly<Record<InventoryUnitHold['type'], string>> = {
  checkout: 'Checkout',
  order: 'Order placed',
  request: 'Order being placed',
};

const nameOf = ({ type, agent }: InventoryUnitHold): string => (agent ? `${NAMES[type]} by ${agent}` : NAMES[type]);

const useColumns = (): readonly TableColumn<InventoryUnitHold>[] => {
  const { moment, number } = useFormats();
  const can = useCan();
  return [
    {
      id: 'holder',
      name: 'Held by',
      cell: (hold) =>
        hold.order_id && can('orders:read') ? <a href={at(`orders/${hold.order_id}`)}>{nameOf(hold)}</a> : nameOf(hold),
    },
    { id: 'units', name: 'Units', cell: ({ quantity }) => number(quantity), number: true },
    {
      id: 'since',
      name: 'Since',
      cell: ({ created_at }) => (created_at === null ? <span class="soft">–</span> : moment(created_at)),
      desk: true,
    },
    {
      id: 'checkout',
      name: 'Checkout',
      cell: ({ checkout_intent_id }) => checkout_intent_id && <code>{checkout_intent_id}</code>,
      desk: true,
    },
    {
      id: 'until',
      name: 'Until',
      cell: ({ expires_at }) => (expires_at === null ? <span class="soft">sold</span> : moment(expires_at)),
    },
  ];
};

export const Holds = ({ variant_id, turn }: { readonly variant_id: string; readonly turn: number }) => {
  const list = useList((api, page) => api.inventory.holds.list({ ...page, variant_id }), 'holds', [variant_id, turn]);
  return (
    <section class="stack">
      <h2>What holds it</h2>
      <ListTable
        label="Holds"
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        empty={
          <Empty title="Nothing holds it">
            <p>Checkouts hold units until they are paid for or expire. Carts and quotes hold none.</p>
          </Empty>
        }
      />
    </section>
  );
};
