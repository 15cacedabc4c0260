// The price lists that price a product; each leads to its own screen.
import { at, ProblemNote, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { usePeriod } from '#edge/pages/dashboard/price_list/list.tsx';
import { Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { PriceListing, Product } from '#proto/client/dashboard.ts';

interface ListedPrice {
  readonly id: string;
  readonly list: PriceListing;
  readonly variant: string;
  readonly from: number;
  readonly price: number;
}

const variantsOf = ({ variant_id, variants }: Product): ReadonlyMap<string, string> =>
  new Map(
    variants
      ? variants.map((each) => [each.variant_id, each.variant_name ?? each.sku ?? ''])
      : variant_id
        ? [[variant_id, '']]
        : [],
  );

const pricesIn = (list: PriceListing, variants: ReadonlyMap<string, string>): ListedPrice[] =>
  list.prices
    .filter(({ variant_id }) => variants.has(variant_id))
    .map(({ variant_id, min_quantity, price }) => ({
      id: `${list.id} ${variant_id} ${min_quantity}`,
      list,
      variant: variants.get(variant_id)!,
      from: min_quantity,
      price,
    }));

export const PriceListSheet = ({ product }: { readonly product: Product }) => {
  const { money, number } = useFormats();
  const period = usePeriod();
  const { value, problem, refresh } = useRecord(
    async (api): Promise<readonly ListedPrice[]> => {
      const variants = variantsOf(product);
      const found: ListedPrice[] = [];
      for await (const list of api.priceLists.list({ limit: 100 })) found.push(...pricesIn(list, variants));
      return found;
    },
    [product.id, product.updated_at],
  );
  return (
    <Sheet title="Price lists" flush>
      <ProblemNote problem={problem} again={refresh} />
      {!value && !problem && <Skeleton lines={2} />}
      {value?.length === 0 && <p class="soft price-list-note">No price list names this product.</p>}
      {value && value.length > 0 && (
        <Table
          label="Price lists"
          rows={value}
          idOf={({ id }) => id}
          to={({ list }) => at(`price-lists/${list.id}`)}
          columns={[
            { id: 'list', name: 'List', cell: ({ list }) => list.name },
            { id: 'variant', name: 'Variant', cell: ({ variant }) => variant, desk: true },
            { id: 'group', name: 'For', cell: ({ list }) => list.customer_group ?? 'everybody' },
            { id: 'period', name: 'When', cell: ({ list }) => period(list), desk: true },
            { id: 'from', name: 'From units', number: true, cell: ({ from }) => number(from) },
            { id: 'price', name: 'Price', number: true, cell: ({ price, list }) => money(price, list.currency) },
          ]}
        />
      )}
    </Sheet>
  );
};
