// The items of an order taken by hand: a search for variants, and the chosen lines.
import { FilterBar, ProblemNote, SearchFilter, useFilters, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Empty, Skeleton } from '#edge/pages/design/display.tsx';
import { NumberField } from '#edge/pages/design/field.tsx';

export interface ChosenLine {
  readonly variant: string;
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
}

export interface FoundVariant {
  readonly variant: string;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
}

const FOUND_MAX = 10;

export const withVariant = (
  lines: readonly ChosenLine[],
  { variant, name, price }: FoundVariant,
): readonly ChosenLine[] =>
  lines.some((line) => line.variant === variant)
    ? lines.map((line) => (line.variant === variant ? { ...line, quantity: line.quantity + 1 } : line))
    : [...lines, { variant, name, price, quantity: 1 }];

interface PickerProps {
  readonly pick: (found: FoundVariant) => void;
  /** Picks variants without stock, too. */
  readonly withoutStock?: boolean;
}

export const ProductPicker = ({ pick, withoutStock = false }: PickerProps) => {
  const [query] = useFilters();
  const { money, number } = useFormats();
  const text = query.get('product') ?? '';
  const { value, problem, loading } = useRecord(
    async (api): Promise<readonly FoundVariant[]> => {
      if (text === '') return [];
      const { products } = await api.search({ query: text, limit: FOUND_MAX });
      const rows = await Promise.all(
        products.map(async (product): Promise<readonly FoundVariant[]> => {
          if (!product.has_variants)
            return product.variant_id === null
              ? []
              : [
                  {
                    variant: product.variant_id,
                    name: product.name,
                    price: product.selling_price ?? 0,
                    stock: product.stock ?? 0,
                  },
                ];
          const { variants = [] } = await api.products.get({ id: product.id });
          return (variants ?? []).map(({ variant_id, variant_name, selling_price, stock }) => ({
            variant: variant_id,
            name: [product.name, variant_name].filter(Boolean).join(', '),
            price: selling_price ?? 0,
            stock,
          }));
        }),
      );
      return rows.flat();
    },
    [text],
  );
  return (
    <>
      <FilterBar>
        <SearchFilter name="product" label="Find a product" placeholder="Name, brand or SKU" />
      </FilterBar>
      <ProblemNote problem={problem} />
      {loading && text !== '' && <Skeleton lines={2} />}
      {value?.map((found) => (
        <div key={found.variant} class="row between">
          <span>
            {found.name}{' '}
            <span class="soft">
              {money(found.price)}, {number(found.stock)} in stock
            </span>
          </span>
          <Button icon="add" disabled={found.stock === 0 && !withoutStock} press={() => pick(found)}>
            Add<span class="unseen"> {found.name}</span>
          </Button>
        </div>
      ))}
      {value?.length === 0 && text !== '' && !loading && <p class="soft">No product matches “{text}”.</p>}
    </>
  );
};

interface LinesProps {
  readonly lines: readonly ChosenLine[];
  readonly change: (lines: readonly ChosenLine[]) => void;
}

export const ChosenLines = ({ lines, change }: LinesProps) => {
  const { money } = useFormats();
  if (lines.length === 0) return <Empty title="No item yet">Find a product and add it.</Empty>;
  return (
    <>
      {lines.map((line) => (
        <div key={line.variant} class="row between one-line">
          <NumberField
            label={line.name}
            unit={`× ${money(line.price)}`}
            value={line.quantity}
            min={1}
            step={1}
            change={(quantity) =>
              change(lines.map((each) => (each === line ? { ...each, quantity: quantity ?? 1 } : each)))
            }
          />
          <IconButton
            icon="remove"
            label={`Remove ${line.name}`}
            press={() => change(lines.filter((each) => each !== line))}
          />
        </div>
      ))}
    </>
  );
};
