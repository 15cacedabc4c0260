// The filters of a listing: categories, brands, tags, prices, stock. On a phone they are collapsed above the products.
import { useState } from 'preact/hooks';
import type { SearchFacet, SearchFilters } from '#proto/gen/client/message.ts';
import { WithoutScript } from './browser_only.tsx';
import { Field } from './component.tsx';
import { useShopPath } from './link.tsx';
import { useWords } from './wording_context.ts';

export const FACETS = {
  category: { title: 'facet.category', filter: 'category_id' },
  brand: { title: 'facet.brand', filter: 'brand' },
  tag: { title: 'facet.tag', filter: 'tag' },
} as const;
export type FacetKey = keyof typeof FACETS;
const KEYS = Object.keys(FACETS) as FacetKey[];

export const FACETS_ASKED: readonly string[] = [...KEYS, 'price'];

const PRICE_BOUNDS = [
  ['from', 'gte'],
  ['to', 'lte'],
] as const;

const priceBound = (choice: URLSearchParams, name: string): number | null => {
  const text = choice.get(name) ?? '';
  const price = Number(text);
  return text.trim() === '' || !Number.isFinite(price) || price < 0 ? null : price;
};

export const filtersOf = (choice: URLSearchParams): SearchFilters => {
  const price = PRICE_BOUNDS.flatMap(([name, bound]) => {
    const end = priceBound(choice, name);
    return end === null ? [] : [[bound, end] as const];
  });
  return {
    ...Object.fromEntries(KEYS.filter((key) => choice.has(key)).map((key) => [FACETS[key].filter, choice.getAll(key)])),
    ...(price.length > 0 && { price: Object.fromEntries(price) }),
    ...(choice.has('stock') && { in_stock: true }),
  };
};

export const countFilters = (choice: URLSearchParams): number =>
  [...choice.keys()].filter((key) => key in FACETS || key === 'stock').length +
  (PRICE_BOUNDS.some(([name]) => priceBound(choice, name) !== null) ? 1 : 0);

export const clearPrices = (choice: URLSearchParams): void => {
  for (const [name] of PRICE_BOUNDS) choice.delete(name);
};

export const clearFilters = (choice: URLSearchParams): void => {
  clearPrices(choice);
  for (const key of [...KEYS, 'stock']) choice.delete(key);
};

const SHOWN = 8;

type Change = (work: (next: URLSearchParams) => void) => void;

interface BoxProps {
  readonly facet: SearchFacet;
  readonly chosen: readonly string[];
  readonly change: Change;
}

const FacetBox = ({ facet, chosen, change }: BoxProps) => {
  const { text } = useWords();
  const known = FACETS[facet.key as FacetKey];
  const values = facet.values ?? [];
  if (!known || values.length === 0) return null;
  const isShown = (value: unknown, at: number): boolean => at < SHOWN || chosen.includes(String(value));
  return (
    <fieldset>
      <legend>{text(known.title)}</legend>
      {values
        .filter(({ value }, at) => isShown(value, at))
        .map(({ value, label, count }) => {
          const name = String(value);
          const isChosen = chosen.includes(name);
          return (
            <label key={name} class="choice">
              <input
                type="checkbox"
                name={facet.key}
                value={name}
                checked={isChosen}
                onChange={() =>
                  change((next) => (isChosen ? next.delete(facet.key, name) : next.append(facet.key, name)))
                }
              />
              <span>{label}</span> <small>{count}</small>
            </label>
          );
        })}
    </fieldset>
  );
};

interface PriceProps {
  readonly facet: SearchFacet | undefined;
  readonly choice: URLSearchParams;
  readonly change: Change;
}

/** The empty fields show, as placeholders, the lowest and highest price under the other filters. */
const PriceBox = ({ facet, choice, change }: PriceProps) => {
  const { text } = useWords();
  const known = PRICE_BOUNDS.some(([name]) => priceBound(choice, name) !== null);
  if (!known && (facet?.min == null || facet.min === facet.max)) return null;
  const hints = { from: facet?.min, to: facet?.max };
  return (
    <fieldset>
      <legend>{text('facet.price')}</legend>
      <div class="pair range">
        {PRICE_BOUNDS.map(([name]) => (
          <Field key={name} label={text(`price_${name}`)}>
            <input
              id={`price-${name}`}
              name={name}
              type="number"
              inputMode="decimal"
              min={0}
              step="any"
              value={priceBound(choice, name) ?? ''}
              placeholder={hints[name] == null ? '' : String(hints[name])}
              onChange={({ currentTarget: { value } }) =>
                change((next) => (value === '' ? next.delete(name) : next.set(name, value)))
              }
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
};

interface FacetsProps {
  /** Path of the listing within the shop, without a slash before it. */
  readonly path: string;
  readonly facets: readonly SearchFacet[];
  readonly choice: URLSearchParams;
  readonly change: Change;
  readonly chosen: number;
}

export const Facets = ({ path, facets, choice, change, chosen }: FacetsProps) => {
  const action = useShopPath(`/${path}`);
  const { text } = useWords();
  const [open, setOpen] = useState(false);
  return (
    <section class={open ? 'facets open' : 'facets'} aria-label={text('filters')}>
      <button type="button" aria-expanded={open} aria-controls="filters" onClick={() => setOpen(!open)}>
        {text('filters')}
        {chosen > 0 && ` (${chosen})`}
      </button>
      <form id="filters" action={action} onSubmit={(event) => event.preventDefault()}>
        {chosen > 0 && (
          <button type="button" class="plain clear" onClick={() => change(clearFilters)}>
            {text('clear_filters')}
          </button>
        )}
        <label class="choice">
          <input
            type="checkbox"
            name="stock"
            value="yes"
            checked={choice.has('stock')}
            onChange={() => change((next) => (next.has('stock') ? next.delete('stock') : next.set('stock', 'yes')))}
          />
          <span>{text('in_stock')}</span>
        </label>
        <PriceBox facet={facets.find(({ key }) => key === 'price')} choice={choice} change={change} />
        {facets.map((facet) => (
          <FacetBox key={facet.key} facet={facet} chosen={choice.getAll(facet.key)} change={change} />
        ))}
        {['q', 'sort'].map(
          (name) => choice.has(name) && <input key={name} type="hidden" name={name} value={choice.get(name)!} />,
        )}
        <WithoutScript>
          <button type="submit">{text('show_products')}</button>
        </WithoutScript>
      </form>
    </section>
  );
};
