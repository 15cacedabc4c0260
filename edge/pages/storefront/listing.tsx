// Screens of listings: search, categories and collections, with facets and sorting. The URL stores them, so that going back, reloading and
// shared links restore them.
import { useState } from 'preact/hooks';
import type { FoundProduct, ProductCategory, SearchFacet } from '#proto/gen/client/message.ts';
import { currentPath, goTo, pathOf, readAddress } from './address.ts';
import { errorText, useRequest } from './answer.ts';
import { Cards } from './card.tsx';
import type { OpenShop, ShopFrame } from './client.ts';
import { LoadingOrError } from './component.tsx';
import { hasFixedPrices, inCurrency } from './currency.ts';
import { clearFilters, clearPrices, countFilters, FACETS_ASKED, Facets, filtersOf } from './facet.tsx';
import { Link } from './link.tsx';
import { useWords } from './wording_context.ts';

const LIMIT = 24;
const SORTS = ['relevance', 'price_asc', 'price_desc', 'newest', 'rating'] as const;
type Sorting = (typeof SORTS)[number];

const sortOf = (sorts: readonly Sorting[], choice: URLSearchParams): Sorting =>
  sorts.find((name) => name === choice.get('sort')) ?? 'relevance';

const ALL = { sorts: SORTS, facets: FACETS_ASKED, comparable: (choice: URLSearchParams) => choice };

/** No search compares fixed prices, so that a listing in them is neither sorted nor filtered by price. */
const UNPRICED = {
  sorts: SORTS.filter((name) => !name.startsWith('price')),
  facets: FACETS_ASKED.filter((facet) => facet !== 'price'),
  comparable: (choice: URLSearchParams): URLSearchParams => {
    const rest = new URLSearchParams(choice);
    clearPrices(rest);
    if (rest.get('sort')?.startsWith('price')) rest.delete('sort');
    return rest;
  },
};

const askSearch = <T extends object>(shop: OpenShop, asked: T) =>
  inCurrency(shop, (prices) => shop.api.search({ ...asked, ...prices }));

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

interface SortProps {
  readonly sorts: readonly Sorting[];
  readonly sort: Sorting;
  readonly choose: (sort: string) => void;
}

const SortChoice = ({ sorts, sort, choose }: SortProps) => {
  const { text } = useWords();
  return (
    <label class="sort">
      <span>{text('sort_by')}</span>
      <select value={sort} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {sorts.map((each) => (
          <option key={each} value={each}>
            {text(`sort.${each}`)}
          </option>
        ))}
      </select>
    </label>
  );
};

export const Listing = ({ shop, path, choice: given, category }: ListingProps) => {
  const words = useWords();
  const { text } = words;
  const change = changeAt(path);
  const { sorts, facets: facetsAsked, comparable } = hasFixedPrices(shop) ? UNPRICED : ALL;
  const choice = comparable(given);
  const query = choice.get('q') ?? '';
  const wanted = filtersOf(choice);
  const asked = {
    query,
    sort: sortOf(sorts, choice),
    limit: LIMIT,
    filters: category && !wanted.category_id ? { ...wanted, category_id: [category.id] } : wanted,
    facets: facetsAsked,
  };
  const name = listingName(path, given);
  const answer = useRequest(async () => ({ ...(await askSearch(shop, asked)), asked }), [name], name);
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
          <h1>{category?.name ?? (query ? text('query', { query }) : text('all_products'))}</h1>
          {category?.description && <p class="soft">{category.description}</p>}
          <p role="status" class="soft">
            {words.count(value.total, 'product')}
            {value.corrections.map(({ from, to }) => `, ${text('corrected', { from, to })}`)}
          </p>
        </div>
        <SortChoice sorts={sorts} sort={asked.sort} choose={(sort) => change((next) => next.set('sort', sort))} />
      </div>
      {category && <Subcategories {...category} />}
      {problem && <p role="alert">{problem}</p>}
      <div class="listing" aria-busy={busy}>
        {facets}
        {value.total === 0 ? (
          <div class="notice">
            <p>{text(chosen > 0 ? 'no_match_filtered' : 'no_match')}</p>
            {chosen > 0 && (
              <button type="button" onClick={() => change(clearFilters)}>
                {text('clear_filters')}
              </button>
            )}
            <Link to="/products">{text('see_all')}</Link>
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
  const { text } = useWords();
  const [more, setMore] = useState<{ products: readonly FoundProduct[]; cursor: string | null }>({
    products: [],
    cursor: next,
  });
  const [message, setMessage] = useState('');
  const ask = async (): Promise<void> => {
    setMessage(text('loading'));
    try {
      const { products, pagination } = await askSearch(shop, { ...asked, cursor: more.cursor });
      setMore({ products: [...more.products, ...products], cursor: pagination.next_cursor });
      setMessage('');
    } catch (problem) {
      setMessage(errorText(problem, text));
    }
  };
  return (
    <div>
      <Cards products={[...first, ...more.products]} />
      {more.cursor && (
        <p class="more">
          <button type="button" onClick={() => void ask()}>
            {text('show_more')}
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

const CategoryTrail = ({ parent }: ShopCategory) => {
  const { text } = useWords();
  return (
    <nav class="trail" aria-label={text('trail')}>
      <Link to="/products">{text('products')}</Link>
      {parent && <Link to={`/categories/${parent.slug}`}>{parent.name}</Link>}
    </nav>
  );
};

const Subcategories = ({ subcategories = [] }: ShopCategory) => {
  const { text } = useWords();
  return subcategories.length === 0 ? null : (
    <nav class="subcategories" aria-label={text('subcategories')}>
      {subcategories.map(({ slug, name }) => (
        <Link key={slug} to={`/categories/${slug}`}>
          {name}
        </Link>
      ))}
    </nav>
  );
};

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
  const { text } = useWords();
  const category = categoryNamed(shop, slug);
  if (category !== null) return <Listing {...{ shop, choice, category, path: `categories/${slug}` }} />;
  return (
    <>
      <h1>{text('no_category')}</h1>
      <p>
        <Link to="/products">{text('see_all')}</Link>
      </p>
    </>
  );
};

export const CollectionScreen = ({ shop, slug }: { readonly shop: OpenShop; readonly slug: string }) => {
  const { text } = useWords();
  const answer = useRequest(
    async () => {
      const { collections } = await shop.api.productCollections.list({ limit: 100 });
      const collection = collections.find((each) => each.slug === slug) ?? null;
      if (collection === null) return { collection, products: [] };
      const asked = { collection_id: collection.id, sort: 'collection', limit: 100 } as const;
      const { products } = await inCurrency(shop, (prices) => shop.api.products.list({ ...asked, ...prices }));
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
        <h1>{text('no_collection')}</h1>
        <p>
          {text('collection_ended')} <Link to="/products">{text('see_all')}</Link>
        </p>
      </>
    );
  return (
    <>
      <h1>{value.collection.name}</h1>
      {value.collection.description && <p class="soft">{value.collection.description}</p>}
      {value.products.length === 0 ? <p>{text('collection_empty')}</p> : <Cards products={value.products} />}
    </>
  );
};
