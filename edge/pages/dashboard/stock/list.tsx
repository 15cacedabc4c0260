// The levels of all variants: searched, filtered by low stock, and adjusted in a dialog.
import { useState } from 'preact/hooks';
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  SearchFilter,
  useCan,
  useFilters,
  useFormats,
  useList,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { NamedStockLevel } from '#proto/client/dashboard.ts';
import { AdjustDialog, nameOf } from './adjust.tsx';

const LEVELS = [
  { value: 'low', label: 'Low stock' },
  { value: 'enough', label: 'Enough' },
];

const useStockFilters = () => {
  const [query] = useFilters();
  const search = query.get('search');
  const level = query.get('level');
  return { ...(search ? { search } : {}), ...(level ? { low_stock: level === 'low' } : {}) };
};

const useColumns = (adjust: (level: NamedStockLevel) => void): readonly TableColumn<NamedStockLevel>[] => {
  const { number } = useFormats();
  const can = useCan();
  return [
    {
      id: 'name',
      name: 'Product',
      cell: ({ product_name, variant_name }) => (
        <>
          {product_name} {variant_name && <small class="soft line">{variant_name}</small>}
        </>
      ),
    },
    { id: 'sku', name: 'SKU', cell: ({ sku }) => sku ?? '–', desk: true },
    { id: 'on_hand', name: 'On hand', cell: ({ on_hand }) => number(on_hand), number: true, desk: true },
    { id: 'held', name: 'Held', cell: ({ held }) => number(held), number: true, desk: true },
    {
      id: 'available',
      name: 'Available',
      cell: ({ available, low_stock }) => (
        <>
          {low_stock && <Badge tone="warn">Low</Badge>} {number(available)}
        </>
      ),
      number: true,
    },
    {
      id: 'mark',
      name: 'Low mark',
      cell: ({ low_stock_threshold }) =>
        low_stock_threshold === null ? <span class="soft">the store’s</span> : number(low_stock_threshold),
      number: true,
      desk: true,
    },
    ...(can('catalog:write')
      ? [
          {
            id: 'adjust',
            name: 'Change',
            cell: (level: NamedStockLevel) => (
              <Button press={() => adjust(level)}>
                Adjust<span class="unseen"> {nameOf(level)}</span>
              </Button>
            ),
            number: true,
          },
        ]
      : []),
  ];
};

export const StockList = () => {
  const filters = useStockFilters();
  const list = useList((api, page) => api.inventory.list({ ...page, ...filters }), 'inventory', [
    JSON.stringify(filters),
  ]);
  const [adjusting, setAdjusting] = useState<NamedStockLevel | null>(null);
  const columns = useColumns(setAdjusting);
  return (
    <>
      <PageHead title="Stock" />
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="Product or SKU" />
        <ChoiceFilter name="level" label="Level" options={LEVELS} />
      </FilterBar>
      <ListTable
        label="Stock"
        list={list}
        columns={columns}
        idOf={({ variant_id }) => variant_id}
        nameOf={nameOf}
        to={({ variant_id }) => at(`stock/${variant_id}`)}
        empty={
          <Empty title="No level matches" icon="stock">
            <p>Each variant of a product has a level. Change the filters to see others.</p>
          </Empty>
        }
      />
      {adjusting && <AdjustDialog level={adjusting} close={() => setAdjusting(null)} adjusted={list.refresh} />}
    </>
  );
};
