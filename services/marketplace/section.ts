// A curated section as it is kept, and what its kind demands of its items. Pure.
import type { PutSectionItem, Section } from '#proto/gen/marketplace.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';

export interface StoredItem {
  readonly merchant_store_id: string;
  readonly product_id?: string;
  readonly promotion_id?: string;
}

export interface SectionRecord {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly placement_kind: Section['placement_kind'];
  readonly items: readonly StoredItem[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The id that each kind of section names beside the merchant. */
const NAMED: Readonly<Record<Section['placement_kind'], 'product_id' | 'promotion_id' | null>> = {
  product: 'product_id',
  merchant: null,
  promotion: 'promotion_id',
};

/** Items as they are kept, in the order given; one that does not fit the section's kind is refused. */
export const readItems = (
  kind: Section['placement_kind'],
  items: readonly PutSectionItem[],
): readonly StoredItem[] | Refusal => {
  const kept: StoredItem[] = [];
  for (const [at, item] of items.entries()) {
    const read: { merchant_store_id: string; product_id?: string; promotion_id?: string } = {
      merchant_store_id: item.merchant_store_id.toLowerCase(),
    };
    for (const name of ['product_id', 'promotion_id'] as const) {
      const id = item[name] ?? null;
      const param = `items[${at}].${name}`;
      if (id === null && NAMED[kind] === name)
        return refuse('invalid_request', `\`${name}\` is required in a section of ${kind}s.`, { param });
      if (id !== null && NAMED[kind] !== name)
        return refuse('invalid_request', `\`${name}\` does not belong in a section of ${kind}s.`, { param });
      if (id !== null) read[name] = id.toLowerCase();
    }
    kept.push(read);
  }
  return kept;
};
