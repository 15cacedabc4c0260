// What narrows a listing: categories, brands, tags, and what is in stock. Beside the products where there is room, folded
// above them on a phone.
import { useState } from 'preact/hooks';
import type { SearchFacet } from '#proto/gen/client/message.ts';

/** The filters that a facet's values go into. */
export const FACETS = {
  category: { title: 'Category', filter: 'category_id' },
  brand: { title: 'Brand', filter: 'brand' },
  tag: { title: 'Tag', filter: 'tag' },
} as const;
export type FacetKey = keyof typeof FACETS;

const SHOWN = 8;

type Change = (work: (next: URLSearchParams) => void) => void;

interface BoxProps {
  readonly facet: SearchFacet;
  readonly chosen: readonly string[];
  readonly change: Change;
}

const FacetBox = ({ facet, chosen, change }: BoxProps) => {
  const known = FACETS[facet.key as FacetKey];
  const values = facet.values ?? [];
  if (!known || values.length === 0) return null;
  const isShown = (value: unknown, at: number): boolean => at < SHOWN || chosen.includes(String(value));
  return (
    <fieldset>
      <legend>{known.title}</legend>
      {values
        .filter(({ value }, at) => isShown(value, at))
        .map(({ value, label, count }) => {
          const name = String(value);
          const isChosen = chosen.includes(name);
          return (
            <label key={name} class="choice">
              <input
                type="checkbox"
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

interface FacetsProps {
  readonly facets: readonly SearchFacet[];
  readonly choice: URLSearchParams;
  readonly change: Change;
  /** How many filters are on. */
  readonly chosen: number;
}

export const Facets = ({ facets, choice, change, chosen }: FacetsProps) => {
  const [open, setOpen] = useState(false);
  return (
    <section class={open ? 'facets open' : 'facets'} aria-label="Filters">
      <button type="button" aria-expanded={open} aria-controls="filters" onClick={() => setOpen(!open)}>
        Filters{chosen > 0 && ` (${chosen})`}
      </button>
      <div id="filters">
        <label class="choice">
          <input
            type="checkbox"
            checked={choice.has('stock')}
            onChange={() => change((next) => (next.has('stock') ? next.delete('stock') : next.set('stock', 'yes')))}
          />
          <span>In stock</span>
        </label>
        {facets.map((facet) => (
          <FacetBox key={facet.key} facet={facet} chosen={choice.getAll(facet.key)} change={change} />
        ))}
      </div>
    </section>
  );
};
