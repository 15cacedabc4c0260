// Screen of the product search: query, facets and sorting. The URL stores them, so that going back, reloading and
// shared links restore them.
import { useState } from 'preact/hooks';
import type { FoundProduct } from '#proto/gen/client/message.ts';
import { goTo, readAddress, writeAddress } from './address.ts';
import { Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { countText, errorText, LoadingOrError, useRequest } from './component.tsx';
import { clearFilters, countFilters, FACETS_ASKED, Facets, filtersOf } from './facet.tsx';

const LIMIT = 24;
const SORTS = [
  ['relevance', 'Best match'],
  ['price_asc', 'Price: low to high'],
  ['price_desc', 'Price: high to low'],
  ['newest', 'Newest'],
  ['rating', 'Best rated'],
] as const;
type Sorting = (typeof SORTS)[number][0];

const sortOf = (choice: URLSearchParams): Sorting =>
  SORTS.find(([name]) => name === choice.get('sort'))?.[0] ?? 'relevance';

/** Reads the URL, because a second change may come before the first is rendered. */
const change = (work: (next: URLSearchParams) => void): void => {
  const next = readAddress(location.hash).choice;
  work(next);
  goTo(writeAddress('products', next));
};

interface ListingProps {
  readonly shop: OpenShop;
  readonly choice: URLSearchParams;
}

export const Listing = ({ shop, choice }: ListingProps) => {
  const query = choice.get('query') ?? '';
  const asked = {
    query,
    sort: sortOf(choice),
    limit: LIMIT,
    filters: filtersOf(choice),
    facets: FACETS_ASKED,
  };
  const name = `products?${choice}`;
  const answer = useRequest(async () => ({ ...(await shop.api.search(asked)), asked }), [`${choice}`], name);
  const { value, problem, busy } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  const chosen = countFilters(choice);
  const facets = <Facets facets={value.facets} choice={choice} change={change} chosen={chosen} />;
  return (
    <>
      <div class="headline">
        <div>
          <h1>{query ? `“${query}”` : 'All products'}</h1>
          <p role="status" class="soft">
            {countText(value.total, 'product')}
            {value.corrections.map(({ from, to }) => `, “${to}” instead of “${from}”`)}
          </p>
        </div>
        <label class="sort">
          <span>Sort by</span>
          <select
            value={asked.sort}
            onChange={({ currentTarget }) => change((next) => next.set('sort', currentTarget.value))}
          >
            {SORTS.map(([each, label]) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem && <p role="alert">{problem}</p>}
      <div class="listing" aria-busy={busy}>
        {facets}
        {value.total === 0 ? (
          <div class="notice">
            <p>No products match{chosen > 0 ? ' with these filters' : ''}.</p>
            {chosen > 0 && (
              <button type="button" onClick={() => change(clearFilters)}>
                Clear the filters
              </button>
            )}
            <a href="#/products">See all products</a>
          </div>
        ) : (
          <SearchResults
            key={JSON.stringify(value.asked)}
            shop={shop}
            asked={value.asked}
            first={value.products}
            next={value.pagination.next_cursor}
          />
        )}
      </div>
    </>
  );
};

interface SearchResultsProps {
  readonly shop: OpenShop;
  readonly asked: object;
  readonly first: readonly FoundProduct[];
  readonly next: string | null;
}

const SearchResults = ({ shop, asked, first, next }: SearchResultsProps) => {
  const [more, setMore] = useState<{ products: readonly FoundProduct[]; cursor: string | null }>({
    products: [],
    cursor: next,
  });
  const [message, setMessage] = useState('');
  const ask = async (): Promise<void> => {
    setMessage('Loading …');
    try {
      const { products, pagination } = await shop.api.search({ ...asked, cursor: more.cursor });
      setMore({ products: [...more.products, ...products], cursor: pagination.next_cursor });
      setMessage('');
    } catch (problem) {
      setMessage(errorText(problem));
    }
  };
  return (
    <div>
      <Cards products={[...first, ...more.products]} />
      {more.cursor && (
        <p class="more">
          <button type="button" onClick={() => void ask()}>
            Show more
          </button>
        </p>
      )}
      <p role="status">{message}</p>
    </div>
  );
};

export const CollectionScreen = ({ shop, slug }: { readonly shop: OpenShop; readonly slug: string }) => {
  const answer = useRequest(
    async () => {
      const { collections } = await shop.api.productCollections.list({ limit: 100 });
      const collection = collections.find((each) => each.slug === slug) ?? null;
      if (collection === null) return { collection, products: [] };
      const { products } = await shop.api.products.list({
        collection_id: collection.id,
        sort: 'collection',
        limit: 100,
      });
      return { collection, products };
    },
    [slug],
    `collection/${slug}`,
  );
  const { value } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  if (value.collection === null)
    return (
      <>
        <h1>No such collection</h1>
        <p>
          The collection may have ended. <a href="#/products">See all products</a>
        </p>
      </>
    );
  return (
    <>
      <h1>{value.collection.name}</h1>
      {value.collection.description && <p class="soft">{value.collection.description}</p>}
      {value.products.length === 0 ? <p>This collection is empty.</p> : <Cards products={value.products} />}
    </>
  );
};
