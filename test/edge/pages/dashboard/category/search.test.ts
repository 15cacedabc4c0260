// The search in the tree of categories.
import { expect, test } from 'vitest';
import { searchTree } from '#edge/pages/dashboard/category/search.ts';

const node = (name: string) => ({ id: name, name, slug: name, product_count: 0, updated_at: '' });
const TREE = [
  { ...node('Kitchen'), description: null, subcategories: ['Knives', 'Töpfe'].map(node) },
  { ...node('Garden'), description: null, subcategories: ['Kitchen garden'].map(node) },
  { ...node('Toys'), description: null, subcategories: [] },
];

test.each([
  ['shows what is below a category that matches', 'kitchen', ['Kitchen Knives Töpfe', 'Garden Kitchen garden']],
  ['leaves out siblings that do not match', ' KNIVES ', ['Kitchen Knives']],
  ['ignores accents', 'topf', ['Kitchen Töpfe']],
  ['finds nothing', 'sofa', []],
])('%s', (_title, text, found) => {
  const shown = searchTree(TREE, text).map(({ name, subcategories }) =>
    [name, ...subcategories.map((child) => child.name)].join(' '),
  );
  expect(shown).toEqual(found);
});
