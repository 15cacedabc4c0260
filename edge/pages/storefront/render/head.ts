// Describes a page to search engines and to programs that preview links: title, description, canonical address. Pure.

import type { ScreenAddress } from '#edge/pages/storefront/address.ts';
import type { Answers } from '#edge/pages/storefront/answer.ts';
import type { OpenShop } from '#edge/pages/storefront/client.ts';
import { plainText } from '#edge/pages/storefront/html.ts';
import { alternatesOf, languagePath } from '#edge/pages/storefront/language_path.ts';
import { categoryNamed } from '#edge/pages/storefront/listing.tsx';
import type { Words } from '#edge/pages/storefront/wording.ts';
import type { Product, ProductCollection, StoreLookbook } from '#proto/gen/client/message.ts';

const DESCRIPTION_MAX = 160;

export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path within the shop under which search engines list the page; null if they should not list it. */
  readonly canonical: string | null;
  readonly image: string | null;
  readonly type: 'website' | 'product';
  /** Paths of the same page in each of the store's languages; empty if it has one. */
  readonly alternates: readonly { readonly language: string; readonly path: string }[];
}

const shortened = (text: string): string => {
  const words = plainText(text);
  if (words.length <= DESCRIPTION_MAX) return words;
  const cut = words.slice(0, DESCRIPTION_MAX - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), DESCRIPTION_MAX / 2)).trimEnd()}…`;
};

type HeadParts = Partial<PageHead> & Pick<PageHead, 'canonical'>;

interface HeadContext {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
  readonly answers: Answers;
  readonly words: Words;
}

interface FoundCollection {
  readonly collection: ProductCollection | null;
}

interface FoundHome {
  readonly lookbook?: StoreLookbook;
}

const productHead = ({ address: { name }, answers, words }: HeadContext): HeadParts => {
  const product = answers.get<Product>(`product/${name}`);
  if (product === null) return { title: words.text('no_product'), canonical: null };
  return {
    title: product.seo_title || product.name,
    description: product.seo_description || product.description,
    canonical: `/products/${product.product_slug ?? product.id}`,
    image: product.thumbnail_url,
    type: 'product',
  };
};

const collectionHead = ({ address: { name }, answers, words }: HeadContext): HeadParts => {
  const found = answers.get<FoundCollection>(`collection/${name}`)?.collection;
  if (!found) return { title: words.text('no_collection'), canonical: null };
  return {
    title: found.name,
    description: found.description,
    canonical: `/collections/${found.slug}`,
    image: found.image,
  };
};

/** A listing with filters, sorting or a query is one of endless many, so that search engines list only the whole one. */
const listingHead = ({ address: { screen, choice }, words: { text } }: HeadContext): HeadParts => {
  const query = choice.get('q');
  const isWhole = screen === 'products' && choice.size === 0;
  return { title: query ? text('query', { query }) : text('all_products'), canonical: isWhole ? '/products' : null };
};

const categoryHead = ({ shop, address: { name, choice }, words }: HeadContext): HeadParts => {
  const category = categoryNamed(shop, name);
  if (category === null) return { title: words.text('no_category'), canonical: null };
  const { description } = category;
  return {
    title: category.name,
    ...(description && { description }),
    canonical: choice.size === 0 ? `/categories/${category.slug}` : null,
  };
};

const policyHead = ({ shop: { policies }, address: { name }, words }: HeadContext): HeadParts => {
  const policy = policies.find(({ type }) => type === name);
  return policy
    ? { title: policy.title, canonical: `/policies/${name}` }
    : { title: words.text('no_policy'), canonical: null };
};

const homeHead = ({ answers }: HeadContext): HeadParts => ({
  canonical: '/',
  image: answers.get<FoundHome>('home')?.lookbook?.featured_image ?? null,
});

const UNLISTED = { canonical: null };

const HEADS: Readonly<Record<string, (context: HeadContext) => HeadParts>> = {
  '': homeHead,
  products: (context) => (context.address.name === '' ? listingHead(context) : productHead(context)),
  search: listingHead,
  collections: collectionHead,
  categories: categoryHead,
  policies: policyHead,
  cart: ({ words }) => ({ title: words.text('your_cart'), ...UNLISTED }),
  checkout: ({ words }) => ({ title: words.text('checkout'), ...UNLISTED }),
  account: ({ words }) => ({ title: words.text('your_account'), ...UNLISTED }),
  orders: ({ words }) => ({ title: words.text('your_order'), ...UNLISTED }),
};

/** Adds the store's name, unless a merchant's own title contains it. */
const titled = (title: string | undefined, store: string): string =>
  title ? (title.includes(store) ? title : `${title} · ${store}`) : store;

export const headOf = (context: HeadContext): PageHead => {
  const { store, language } = context.shop;
  const { screen } = context.address;
  const parts = Object.hasOwn(HEADS, screen)
    ? HEADS[screen]!(context)
    : { title: context.words.text('no_page'), ...UNLISTED };
  const { title, description, canonical, image, type } = parts;
  return {
    title: titled(title, store.name),
    description: shortened(description || store.description || store.name),
    canonical: canonical === null ? null : languagePath(store, language, canonical),
    image: image ?? store.logo_url,
    type: type ?? 'website',
    alternates: canonical === null ? [] : alternatesOf(store, canonical),
  };
};
