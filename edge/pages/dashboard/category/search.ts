// Finds categories of a tree by a part of their names.
import type { ProductCategory } from '#proto/client/dashboard.ts';
import { fold } from '#values/fold.ts';

/** The categories whose names have the text, with the category above them and, if it has the text too, all below. */
export const searchTree = (tree: readonly ProductCategory[], text: string): readonly ProductCategory[] => {
  const wanted = fold(text.trim());
  const has = ({ name }: { readonly name: string }): boolean => fold(name).includes(wanted);
  return tree.flatMap((top) => {
    if (has(top)) return [top];
    const subcategories = top.subcategories.filter(has);
    return subcategories.length === 0 ? [] : [{ ...top, subcategories }];
  });
};
