// llms.txt: a description of the store in Markdown.

import type { ListPublishedResponse, PublishedStory } from '#proto/gen/content.ts';
import type { Product } from '#proto/gen/product.ts';
import { translatedDetail } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { CategoryRecord } from '#services/catalog/product.ts';
import { plainText } from '#values/html.ts';
import { translated } from '#values/translation.ts';
import { type FeedStore, linkTo } from './feed_store.ts';

const FEATURED_MAX = 50;
const COLLECTIONS_MAX = 100;
const LINE_LENGTH_MAX = 200;

export const markdownText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&');

const shortened = (text: string): string => {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  if (line.length <= LINE_LENGTH_MAX) return line;
  const cut = line
    .slice(0, LINE_LENGTH_MAX)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  return `${cut.replace(/(?<!\s)\s+\S*$/, '')}…`;
};

const linked = (store: FeedStore, name: string, path: string): string => {
  const link = linkTo(store, path);
  return link === null ? markdownText(name) : `[${markdownText(name)}](${link})`;
};

const counted = (count: number): string => `${count} ${count === 1 ? 'product' : 'products'}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];

const byName = (a: CategoryRecord, b: CategoryRecord): number =>
  a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

const categoryLines = (store: FeedStore, catalogue: Catalogue): string[] => {
  const sorted = [...catalogue.categories].sort(byName);
  const lineOf = ({ id, name, slug, translations }: CategoryRecord): string =>
    `- ${linked(store, translated({ name }, translations, store.language).name, `categories/${slug}`)} (${counted(catalogue.countIn(id))})`;
  return sorted
    .filter(({ parent_id }) => parent_id === null)
    .flatMap((top) => [
      lineOf(top),
      ...sorted.filter(({ parent_id }) => parent_id === top.id).map((child) => `  ${lineOf(child)}`),
    ]);
};

const priceOf = ({ selling_price, price_range, display_currency }: Product): string => {
  if (price_range) {
    const { min, max } = price_range;
    return min === max ? `, ${min} ${display_currency}` : `, ${min} to ${max} ${display_currency}`;
  }
  return typeof selling_price === 'number' ? `, ${selling_price} ${display_currency}` : '';
};

const ratingOf = ({ average_rating, review_count }: Product): string =>
  average_rating === null
    ? ''
    : `, rated ${average_rating} of 5 in ${review_count} ${review_count === 1 ? 'review' : 'reviews'}`;

const featuredLines = (store: FeedStore, catalogue: Catalogue): string[] => {
  const lines: string[] = [];
  for (const entry of catalogue.sorted('featured')) {
    if (!entry.featured || lines.length === FEATURED_MAX) break;
    if (!entry.active) continue;
    const product = JSON.parse(translatedDetail(entry, catalogue, store.language).toString()) as Product;
    const about = product.description === '' ? '' : `: ${markdownText(shortened(product.description))}`;
    lines.push(
      `- ${linked(store, product.name, `products/${entry.slug}`)}${priceOf(product)}${ratingOf(product)}${about}`,
    );
  }
  return lines;
};

const collectionLines = (store: FeedStore, catalogue: Catalogue): string[] =>
  [...catalogue.collections]
    .filter(({ is_active }) => is_active)
    .sort((a, b) => a.display_priority - b.display_priority || b.created_at.getTime() - a.created_at.getTime())
    .slice(0, COLLECTIONS_MAX)
    .map(({ slug, translations, ...texts }) => {
      const { name, description } = translated(texts, translations, store.language);
      const about = description === '' ? '' : `: ${markdownText(shortened(description))}`;
      return `- ${linked(store, name, `collections/${slug}`)}${about}`;
    });

const storyLines = (store: FeedStore, folder: string, stories: readonly PublishedStory[]): string[] =>
  stories.map(({ title, slug, about }) => {
    const response = about === '' ? '' : `: ${markdownText(shortened(about))}`;
    return `- ${linked(store, title, `${folder}/${slug}`)}${response}`;
  });

const assistantLines = ({ agents, base }: FeedStore): string[] => [
  ...(agents.mcp ? [`- MCP server (streamable HTTP, no key needed): ${base}/mcp`] : []),
  ...(agents.ucp ? [`- UCP profile (no key needed): ${base}/.well-known/ucp`] : []),
  ...(agents.acp ? [`- ACP checkout (with a key of the store): ${base}/acp`] : []),
];

export type Stories = Pick<ListPublishedResponse, 'posts' | 'lookbooks'>;

export const NO_STORIES: Stories = { posts: [], lookbooks: [] };

export const renderSummary = (store: FeedStore, catalogue: Catalogue, { posts, lookbooks }: Stories): Buffer => {
  const { name, description, website_url, currency, country } = store;
  const lines = [
    `# ${markdownText(name)}`,
    ...(description ? ['', `> ${markdownText(plainText(description))}`] : []),
    '',
    ...(website_url === null ? [] : [`- Website: ${linkTo(store, '')}`]),
    `- Products: ${catalogue.active}`,
    `- Currency: ${currency}`,
    ...(country === null ? [] : [`- Country: ${country}`]),
    ...section('Shopping assistants', assistantLines(store)),
    ...section('Categories', categoryLines(store, catalogue)),
    ...section('Featured products', featuredLines(store, catalogue)),
    ...section('Collections', collectionLines(store, catalogue)),
    ...section('Lookbooks', storyLines(store, 'lookbooks', lookbooks)),
    ...section('Blog', storyLines(store, 'blog', posts)),
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
};
