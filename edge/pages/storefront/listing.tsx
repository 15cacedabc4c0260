// Screens of listings: search, categories and collections, with facets and sorting. The URL stores them, so that going back, reloading and
// shared links restore them.
import { useState } from 'preact/hooks';
import type { FoundProduct, ProductCategory, SearchFacet } from '#proto/gen/client/message.ts';
import { currentPath, goTo, pathOf, readAddress } from './address.ts';
import { errorText, useRequest } from './answer.ts';
import { Cards } from './card.tsx';
import type { OpenShop, ShopFrame } from './client.ts';
import { LoadingOrError } from './component.tsx';
import { clearFilters, countFilters, FACETS_ASKED, Facets, filtersOf } from './facet.tsx';
import { Link } from './link.tsx';
import { useWords } from './wording_context.ts';

const LIMIT = 24;
const SORTS = ['relevance', 'price_asc', 'price_desc', 'newest', 'rating'] as const;
type Sorting = (typeof SORTS)[number];

const sortOf = (choice: URLSearchParams): Sorting => SORTS.find((name) => name === choice.get('sort')) ?? 'relevance';

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
  const words = useWords();
  const { text } = words;
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
          <h1>{category?.name ?? (query ? text('query', { query }) : text('all_products'))}</h1>
          {category?.description && <p class="soft">{category.description}</p>}
          <p role="status" class="soft">
            {words.count(value.total, 'product')}
            {value.corrections.map(({ from, to }) => `, ${text('corrected', { from, to })}`)}
          </p>
        </div>
        <label class="sort">
          <span>{text('sort_by')}</span>
          <select
            value={asked.sort}
            onChange={({ currentTarget }) => change((next) => next.set('sort', currentTarget.value))}
          >
            {SORTS.map((each) => (
              <option key={each} value={each}>
                {text(`sort.${each}`)}
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
      const { products, pagination } = await shop.api.search({ ...asked, cursor: more.cursor });
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
