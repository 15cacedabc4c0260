// Checks that the products, categories and collections of a promotion or tax rate exist in the catalogue.
import type { MissingIdsResponse } from '#proto/gen/catalog_directory.ts';
import type { PromotionTargets } from '#proto/gen/promotion.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';

export interface ReferenceCheck {
  /**
   * Refuses the first missing id. Accepts ids that occur in `before`, because their objects may have been deleted
   * since.
   */
  findMissingTarget(call: Call, targets: PromotionTargets, before: PromotionTargets | null): Promise<Refusal | null>;
  findMissingCategory(call: Call, id: string | null, before: string | null): Promise<Refusal | null>;
}

export const openReferenceCheck = ({ ask }: Pick<Runtime, 'ask'>): ReferenceCheck => {
  const findMissing = async (call: Call, targets: PromotionTargets): Promise<MissingIdsResponse> => {
    const { tenant, deadline, requestId, trace, revisionMin } = call;
    const reply = await ask('CatalogDirectory/MissingIds', tenant, targets, {
      deadline,
      requestId,
      trace,
      revisionMin,
    });
    if (reply instanceof Refusal) throw new Unavailable('The catalogue could not check the ids.');
    return reply;
  };

  return {
    findMissingTarget: async (call, targets, before) => {
      const NAMES = { product_ids: 'product', category_ids: 'category', collection_ids: 'collection' } as const;
      const added = (list: keyof typeof NAMES) => targets[list].filter((id) => !before?.[list].includes(id));
      const newTargets: PromotionTargets = {
        product_ids: added('product_ids'),
        category_ids: added('category_ids'),
        collection_ids: added('collection_ids'),
      };
      if (Object.values(newTargets).every((ids) => ids.length === 0)) return null;
      const gone = await findMissing(call, newTargets);
      for (const list of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
        const [first] = gone[list];
        if (first !== undefined) {
          return notFound(NAMES[list], `applies_to.${list}[${targets[list].indexOf(first)}]`);
        }
      }
      return null;
    },
    findMissingCategory: async (call, id, before) => {
      if (id === null || id === before) return null;
      const gone = await findMissing(call, { product_ids: [], category_ids: [id], collection_ids: [] });
      return gone.category_ids.length > 0 ? notFound('category', 'category_id') : null;
    },
  };
};
