// Validates the categories of a written product. Pure.
import { invalid, notFound, type Refusal } from '#runtime/call/call.ts';

export interface CategoryPair {
  readonly category_id: string | null;
  readonly subcategory_id: string | null;
}

/**
 * Resolves a product's categories: `category_id` must be a top category, `subcategory_id` one of its children. If only
 * the child is sent, its parent becomes the category.
 */
export const readCategories = (
  before: CategoryPair | null,
  row: Partial<CategoryPair>,
  find: (id: string) => { readonly parent_id: string | null } | undefined,
): CategoryPair | Refusal => {
  const [top, sub] = [row.category_id, row.subcategory_id].map((id) => id?.toLowerCase() ?? id);
  if (top === undefined && sub === undefined) {
    return { category_id: before?.category_id ?? null, subcategory_id: before?.subcategory_id ?? null };
  }
  const unknown = (id: string | null | undefined): boolean => !!id && !find(id);
  if (unknown(top)) return notFound('category', 'category_id');
  if (unknown(sub)) return notFound('category', 'subcategory_id');
  if (top && find(top)!.parent_id !== null) {
    return invalid('category_id', `${top} is a subcategory. Send it as \`subcategory_id\`.`);
  }
  if (sub) {
    const parent = find(sub)!.parent_id;
    if (parent === null) return invalid('subcategory_id', `${sub} is a top category. Send it as \`category_id\`.`);
    if (top !== undefined && top !== parent) {
      return invalid(
        'subcategory_id',
        `${sub} is not a subcategory of ${top}. Send one of its children, or omit \`category_id\`.`,
      );
    }
    return { category_id: parent, subcategory_id: sub };
  }
  if (top === undefined) return { category_id: before?.category_id ?? null, subcategory_id: null };
  const stays = sub === undefined && top !== null && top === before?.category_id;
  return { category_id: top, subcategory_id: stays ? before.subcategory_id : null };
};
