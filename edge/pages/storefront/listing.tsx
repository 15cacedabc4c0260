// Products as they are looked for: words while they are typed, facets, an order; slips of the hand are mended.

import { useState } from 'preact/hooks';
import type { SearchFacet, SearchFilters } from '#proto/gen/client/message.ts';
import { Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { Field, useAnswer, Waits } from './part.tsx';

const LIMIT = 24;
const SORTS = [
  ['relevance', 'Best match'],
  ['price_asc', 'Price, low first'],
  ['price_desc', 'Price, high first'],
  ['newest', 'Newest'],
  ['rating', 'Best rated'],
] as const;
type Sorting = (typeof SORTS)[number][0];

/** The filters that a facet's values go into. */
const FACETS = { category: ['Category', 'category_id'], brand: ['Maker', 'brand'], tag: ['Tag', 'tag'] } as const;
type FacetKey = keyof typeof FACETS;
type Choice = Readonly<Partial<Record<FacetKey, readonly string[]>>>;

const filtersOf = (choice: Choice, inStock: boolean): SearchFilters => ({
  ...(choice.category?.length && { category_id: choice.category }),
  ...(choice.brand?.length && { brand: choice.brand }),
  ...(choice.tag?.length && { tag: choice.tag }),
  ...(inStock && { in_stock: true }),
});

interface FacetProps {
  readonly facet: SearchFacet;
  readonly chosen: readonly string[];
  readonly choose: (values: readonly string[]) => void;
}

const FacetBox = ({ facet, chosen, choose }: FacetProps) => {
  const known = FACETS[facet.key as FacetKey];
  if (!known || !facet.values?.length) return null;
  return (
    <fieldset>
      <legend>{known[0]}</legend>
      {facet.values.slice(0, 8).map(({ value, label, count }) => {
        const name = String(value);
        const isChosen = chosen.includes(name);
        return (
          <label key={name} class="choice">
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => choose(isChosen ? chosen.filter((each) => each !== name) : [...chosen, name])}
            />
            {label} <small>({count})</small>
          </label>
        );
      })}
    </fieldset>
  );
};

export const Listing = ({ shop, query }: { readonly shop: OpenShop; readonly query: string }) => {
  const [choice, setChoice] = useState<Choice>({});
  const [sort, setSort] = useState<Sorting>('relevance');
  const [inStock, setInStock] = useState(false);
  const { value, problem } = useAnswer(
    async () =>
      shop.api.search({
        query,
        sort,
        limit: LIMIT,
        filters: filtersOf(choice, inStock),
        facets: Object.keys(FACETS),
      }),
    [query, sort, choice, inStock],
  );
  if (value === null) return <Waits problem={problem} />;
  const [correction] = value.corrections;
  return (
    <>
      <h1>{query ? `“${query}”` : 'All products'}</h1>
      <p role="status">
        {value.total} found{correction ? `, for “${correction.to}” instead of “${correction.from}”` : ''}.
      </p>
      {problem && <p role="alert">{problem}</p>}
      <div class="listing">
        <aside aria-label="Filters">
          <Field label="Order">
            <select value={sort} onChange={({ currentTarget }) => setSort(currentTarget.value as Sorting)}>
              {SORTS.map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <label class="choice">
            <input type="checkbox" checked={inStock} onChange={() => setInStock(!inStock)} /> In stock
          </label>
          {value.facets.map((facet) => (
            <FacetBox
              key={facet.key}
              facet={facet}
              chosen={choice[facet.key as FacetKey] ?? []}
              choose={(values) => setChoice({ ...choice, [facet.key]: values })}
            />
          ))}
        </aside>
        {value.total === 0 ? <p>Nothing is like that here.</p> : <Cards products={value.products} />}
      </div>
    </>
  );
};

/** What a merchant chose, in their order. */
export const Chosen = ({ shop, slug }: { readonly shop: OpenShop; readonly slug: string }) => {
  const { value, problem } = useAnswer(async () => {
    const { collections } = await shop.api.productCollections.list({ limit: 100 });
    const collection = collections.find((each) => each.slug === slug);
    if (!collection) return null;
    const { products } = await shop.api.products.list({
      collection_id: collection.id,
      sort: 'collection',
      limit: LIMIT,
    });
    return { collection, products };
  }, [slug]);
  if (value === null) return <Waits problem={problem} />;
  return (
    <>
      <h1>{value.collection.name}</h1>
      <p>{value.collection.description}</p>
      <Cards products={value.products} />
    </>
  );
};
