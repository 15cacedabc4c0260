// Screens of listings: search, categories and collections, with facets and sorting. The URL stores them, so that going back, reloading and
// shared links restore them.
import { useState } from 'preact/hooks';
import type { FoundProduct, ProductCategory, SearchFacet } from '#proto/gen/client/message.ts';
import { currentPath, goTo, pathOf, readAddress } from './address.ts';
import { errorText, useRequest } from './answer.ts';
import { Cards } from './card.tsx';
import type { OpenShop, ShopFrame } from './client.ts';
import { countText, LoadingOrError } from './component.tsx';
import { clearFilters, countFilters, FACETS_ASKED, Facets, filtersOf } from './facet.tsx';
import { Link } from './link.tsx';

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
const changeAt =
  (path: string) =>
  (work: (next: URLSearchParams) => void): void => {
    const next = readAddress(currentPath()).choice;
    work(next);
    goTo(pathOf(path, next));
  };

interface ListingProps {
  readonly shop: OpenShop;
  /** `products`, `search` or `categories/coffee`. */
  readonly path: string;
  readonly choice: URLSearchParams;
  /** The category to which the listing is limited. */
  readonly category?: ShopCategory;
}

/** A category's own page leads to its subcategories by links. */
const withoutCategory = (facets: readonly SearchFacet[]) => facets.filter(({ key }) => key !== 'category');

/** Name of a listing's answer among those of the page. */
export const listingName = (path: string, choice: URLSearchParams): string => `${path}?${choice}`;

export const Listing = ({ shop, path, choice, category }: ListingProps) => {
  const query = choice.get('q') ?? '';
  const change = changeAt(path);
  const wanted = filtersOf(choice);
  const asked = {
    query,
    sort: sortOf(choice),
    limit: LIMIT,
    filters: category && !wanted.category_id ? { ...wanted, category_id: [category.id] } : wanted,
    facets: FACETS_ASKED,
  };
  const name = listingName(path, choice);
  const answer = useRequest(async () => ({ ...(await shop.api.search(asked)), asked }), [name], name);
  const { value, problem, busy } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  const chosen = countFilters(choice);
  const facets = (
    <Facets {...{ path, facets: category ? withoutCategory(value.facets) : value.facets, choice, change, chosen }} />
  );
  return (
    <>
      {category && <CategoryTrail {...category} />}
      <div class="headline">
        <div>
          <h1>{category?.name ?? (query ? `“${query}”` : 'All products')}</h1>
          {category?.description && <p class="soft">{category.description}</p>}
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
      {category && <Subcategories {...category} />}
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
            <Link to="/products">See all products</Link>
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

/** A category at the top, or one below it. */
type ShopCategory = Pick<ProductCategory, 'id' | 'name' | 'slug'> &
  Partial<Pick<ProductCategory, 'description' | 'subcategories'>> & {
    readonly parent?: Pick<ProductCategory, 'name' | 'slug'>;
  };

const CategoryTrail = ({ parent }: ShopCategory) => (
  <nav class="trail" aria-label="Where this is">
    <Link to="/products">Products</Link>
    {parent && <Link to={`/categories/${parent.slug}`}>{parent.name}</Link>}
  </nav>
);

const Subcategories = ({ subcategories = [] }: ShopCategory) =>
  subcategories.length === 0 ? null : (
    <nav class="subcategories" aria-label="Subcategories">
      {subcategories.map(({ slug, name }) => (
        <Link key={slug} to={`/categories/${slug}`}>
          {name}
        </Link>
      ))}
    </nav>
  );

export const categoryNamed = ({ categories }: Pick<ShopFrame, 'categories'>, slug: string): ShopCategory | null =>
  categories
    .flatMap((parent): ShopCategory[] => [parent, ...parent.subcategories.map((each) => ({ ...each, parent }))])
    .find((each) => each.slug === slug) ?? null;

interface CategoryProps {
  readonly shop: OpenShop;
  readonly slug: string;
  readonly choice: URLSearchParams;
}

export const CategoryScreen = ({ shop, slug, choice }: CategoryProps) => {
  const category = categoryNamed(shop, slug);
  if (category !== null) return <Listing {...{ shop, choice, category, path: `categories/${slug}` }} />;
  return (
    <>
      <h1>No such category</h1>
      <p>
        <Link to="/products">See all products</Link>
      </p>
    </>
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
          The collection may have ended. <Link to="/products">See all products</Link>
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
