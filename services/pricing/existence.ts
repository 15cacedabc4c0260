// Whether what a promotion or a tax rate names exists in the tenant's catalogue.
import type { MissingIdsResponse } from '#proto/gen/catalog_directory.ts';
import type { PromotionTargets } from '#proto/gen/promotion.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';

export interface Existence {
  /** The first that does not, as the body names it; what was named `before` may have been deleted since. */
  targets(call: Call, targets: PromotionTargets, before: PromotionTargets | null): Promise<Refusal | null>;
  category(call: Call, id: string | null, before: string | null): Promise<Refusal | null>;
}

export const openExistence = ({ ask }: Pick<Runtime, 'ask'>): Existence => {
  const missing = async (call: Call, targets: PromotionTargets): Promise<MissingIdsResponse> => {
    const { tenant, deadline, requestId, trace, revisionMin } = call;
    const reply = await ask('CatalogDirectory/MissingIds', tenant, targets, {
      deadline,
      requestId,
      trace,
      revisionMin,
    });
    if (reply instanceof Refusal) throw new Unavailable('The catalogue does not answer.');
    return reply;
  };

  return {
    targets: async (call, targets, before) => {
      const NAMES = { product_ids: 'product', category_ids: 'category', collection_ids: 'collection' } as const;
      const added = (list: keyof typeof NAMES) => targets[list].filter((id) => !before?.[list].includes(id));
      const asked: PromotionTargets = {
        product_ids: added('product_ids'),
        category_ids: added('category_ids'),
        collection_ids: added('collection_ids'),
      };
      if (Object.values(asked).every((ids) => ids.length === 0)) return null;
      const gone = await missing(call, asked);
      for (const list of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
        const [first] = gone[list];
        if (first !== undefined) {
          return notFound(NAMES[list], `applies_to.${list}[${targets[list].indexOf(first)}]`);
        }
      }
      return null;
    },
    category: async (call, id, before) => {
      if (id === null || id === before) return null;
      const gone = await missing(call, { product_ids: [], category_ids: [id], collection_ids: [] });
      return gone.category_ids.length > 0 ? notFound('category', 'category_id') : null;
    },
  };
};
