// The grid of products: filters in the address, price and stock edited in place, and changes of many products at once.
import { useState } from 'preact/hooks';
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  type LoadedList,
  problemOf,
  problemText,
  SearchFilter,
  useCall,
  useCan,
  useFilters,
  useFormats,
  useList,
  useRecord,
} from '#edge/pages/dashboard/page.ts';
import { Button, LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, Empty, PageHead } from '#edge/pages/design/display.tsx';
import { SelectionBar, type TableColumn, useSelection } from '#edge/pages/design/table.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { ListedProduct, ProductCategory, ServerApi } from '#proto/client/dashboard.ts';
import { BulkEdit } from './bulk.tsx';
import { categoryFilter, categoryOptions } from './category_choice.ts';
import { EditCell } from './edit_cell.tsx';
import { smallPicture } from './picture_address.ts';
import { type PricedProduct, PriceEditor } from './price_editor.tsx';

const SORTS = [
  { value: 'name', label: 'Name' },
  { value: 'price_asc', label: 'Price, lowest first' },
  { value: 'price_desc', label: 'Price, highest first' },
] as const;

const useProductFilters = (tree: readonly ProductCategory[]) => {
  const [query] = useFilters();
  const shown = query.get('shown');
  const sort = SORTS.find(({ value }) => value === query.get('sort'))?.value;
  const search = query.get('search');
  const tag = query.get('tag');
  return {
    ...categoryFilter(tree, query.get('category') ?? ''),
    ...(search ? { search } : {}),
    ...(tag ? { tag } : {}),
    ...(shown ? { is_active: shown === 'yes' } : {}),
    ...(query.get('stock') === 'low' ? { low_stock: true } : {}),
    ...(query.get('stock') === 'out' ? { in_stock: false } : {}),
    ...(sort ? { sort } : {}),
  };
};

type Save = (work: (api: ServerApi) => Promise<unknown>, done: string, undo: () => void) => Promise<string>;

/** Saves a cell; answers the refusal's message. */
const useCellSave = (): Save => {
  const call = useCall();
  return async (work, done, undo) => {
    try {
      await call(work);
      toast(done, undo);
      return '';
    } catch (refused) {
      return problemText(problemOf(refused));
    }
  };
};

interface CellProps {
  readonly row: ListedProduct;
  readonly list: LoadedList<ListedProduct>;
}

const PriceCell = ({ row, list }: CellProps) => {
  const can = useCan();
  const { money } = useFormats();
  if (row.has_variants) {
    const { min, max } = row.price_range ?? { min: null, max: null };
    if (min === null || max === null) return <span class="soft">none</span>;
    return <a href={at(`products/${row.id}/variants`)}>{min === max ? money(min) : `${money(min)} – ${money(max)}`}</a>;
  }
  if (!can('catalog:write')) return <>{row.price === null ? 'none' : money(row.price)}</>;
  const show = ({ price, updated_at }: PricedProduct): void =>
    list.change((items) => items.map((each) => (each.id === row.id ? { ...each, price, updated_at } : each)));
  return <PriceEditor product={row} show={show} />;
};

const StockCell = ({ row, list }: CellProps) => {
  const can = useCan();
  const { number } = useFormats();
  const save = useCellSave();
  const { variant_id, stock } = row;
  if (row.has_variants) return <a href={at(`products/${row.id}/variants`)}>{number(row.total_stock ?? 0)}</a>;
  if (!can('catalog:write') || variant_id === null || stock === null) return <>{number(stock ?? 0)}</>;
  // The difference alone is booked: units that were sold meanwhile stay sold.
  const book = (delta: number) => async (api: ServerApi) => {
    const { inventory } = await api.inventory.adjust({ variant_id, delta, reason: 'Products grid' });
    list.change((items) => items.map((each) => (each.id === row.id ? { ...each, stock: inventory.available } : each)));
  };
  return (
    <EditCell
      label={`Stock of ${row.name}`}
      value={stock}
      step={1}
      save={(next) =>
        save(
          book(next - stock),
          `${row.name}: ${number(next)} in stock.`,
          () => void save(book(stock - next), 'Undone.', () => {}),
        )
      }
    />
  );
};

const columnsOf = (list: LoadedList<ListedProduct>): readonly TableColumn<ListedProduct>[] => [
  {
    id: 'name',
    name: 'Product',
    cell: ({ name, thumbnail_url, sku, variant_count, is_active }) => (
      <span class="product-name">
        {thumbnail_url ? (
          <img class="thumbnail" src={smallPicture(thumbnail_url)} alt="" loading="lazy" />
        ) : (
          <span class="thumbnail" />
        )}
        <span>
          {name}
          <small class="soft">{variant_count ? `${variant_count} variants` : sku}</small>
          {is_active === false && <Badge>hidden</Badge>}
        </span>
      </span>
    ),
  },
  {
    id: 'category',
    name: 'Category',
    desk: true,
    cell: ({ category_name, subcategory_name }) =>
      [category_name, subcategory_name].filter(Boolean).join(' › ') || <span class="soft">none</span>,
  },
  { id: 'price', name: 'Price', number: true, cell: (row) => <PriceCell row={row} list={list} /> },
  { id: 'stock', name: 'Stock', number: true, cell: (row) => <StockCell row={row} list={list} /> },
];

const Filters = ({ tree }: { readonly tree: readonly ProductCategory[] }) => (
  <FilterBar>
    <SearchFilter name="search" label="Search" placeholder="Name or SKU" />
    <ChoiceFilter name="category" label="Category" options={categoryOptions(tree)} />
    <ChoiceFilter
      name="shown"
      label="Shop"
      options={[
        { value: 'yes', label: 'Shown' },
        { value: 'no', label: 'Hidden' },
      ]}
    />
    <ChoiceFilter
      name="stock"
      label="Stock"
      options={[
        { value: 'low', label: 'Low' },
        { value: 'out', label: 'Sold out' },
      ]}
    />
    <ChoiceFilter name="sort" label="Order" options={SORTS} all="Newest first" />
  </FilterBar>
);

export const ProductList = () => {
  const can = useCan();
  const tree = useRecord(async (api) => (await api.categories.list()).categories, []).value ?? [];
  const filters = useProductFilters(tree);
  const list = useList((api, page) => api.products.list({ ...page, ...filters }), 'products', [
    JSON.stringify(filters),
  ]);
  const selection = useSelection();
  const [editing, setEditing] = useState(false);
  const selected = list.items.filter(({ id }) => selection.selected.has(id));
  const close = (changed: boolean): void => {
    setEditing(false);
    if (!changed) return;
    selection.select(new Set());
    list.refresh();
  };
  return (
    <div class="stack products">
      <PageHead title="Products">
        {can('ingestion:write') && <LinkButton to={at('products/import')}>Import</LinkButton>}
        {can('catalog:write') && (
          <LinkButton tone="primary" icon="add" to={at('products/new')}>
            New product
          </LinkButton>
        )}
      </PageHead>
      <Filters tree={tree} />
      <ListTable
        label="Products"
        list={list}
        columns={columnsOf(list)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => at(`products/${id}`)}
        selection={selection}
        empty={
          <Empty title="No product matches" icon="product">
            <p>Change the filters, add a product, or import a list.</p>
          </Empty>
        }
      >
        <SelectionBar selection={selection}>
          {can('catalog:write') && (
            <Button tone="primary" press={() => setEditing(true)}>
              Change
            </Button>
          )}
        </SelectionBar>
      </ListTable>
      {editing && <BulkEdit products={selected} tree={tree} close={close} />}
    </div>
  );
};
