// Categories as the options of a select: a subcategory stands below its category.
import type { ProductCategory } from '#proto/client/dashboard.ts';

interface CategoryOption {
  readonly value: string;
  readonly label: string;
}

export const categoryOptions = (tree: readonly ProductCategory[]): readonly CategoryOption[] =>
  tree.flatMap(({ id, name, subcategories }) => [
    { value: id, label: name },
    ...subcategories.map((child) => ({ value: child.id, label: `${name} › ${child.name}` })),
  ]);

interface CategoryPair {
  readonly category_id: string | null;
  readonly subcategory_id: string | null;
}

/** The fields of a product in the chosen category; '' is none. */
export const categoryFields = (tree: readonly ProductCategory[], chosen: string): CategoryPair => {
  if (chosen === '') return { category_id: null, subcategory_id: null };
  const parent = tree.find(({ subcategories }) => subcategories.some(({ id }) => id === chosen));
  return parent ? { category_id: parent.id, subcategory_id: chosen } : { category_id: chosen, subcategory_id: null };
};

export const categoryFilter = (tree: readonly ProductCategory[], chosen: string): Partial<Record<string, string>> => {
  const { category_id, subcategory_id } = categoryFields(tree, chosen);
  return subcategory_id !== null ? { subcategory_id } : category_id !== null ? { category_id } : {};
};
