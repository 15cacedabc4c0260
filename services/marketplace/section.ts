// Curated sections: their record, and the parsing of their items. Pure.
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

export const itemKey = ({ merchant_store_id, product_id, promotion_id }: StoredItem): string =>
  [merchant_store_id, product_id, promotion_id].join(' ');

const ITEM_ID: Readonly<Record<Section['placement_kind'], 'product_id' | 'promotion_id' | null>> = {
  product: 'product_id',
  merchant: null,
  promotion: 'promotion_id',
};

export const parseItems = (
  kind: Section['placement_kind'],
  items: readonly PutSectionItem[],
): readonly StoredItem[] | Refusal => {
  const stored: StoredItem[] = [];
  for (const [at, item] of items.entries()) {
    const read: { merchant_store_id: string; product_id?: string; promotion_id?: string } = {
      merchant_store_id: item.merchant_store_id.toLowerCase(),
    };
    for (const name of ['product_id', 'promotion_id'] as const) {
      const id = item[name] ?? null;
      const param = `items[${at}].${name}`;
      if (id === null && ITEM_ID[kind] === name)
        return refuse('invalid_request', `\`${name}\` is required of each item in a section of ${kind}s.`, { param });
      if (id !== null && ITEM_ID[kind] !== name)
        return refuse('invalid_request', `\`${name}\` must be left out of items in a section of ${kind}s.`, { param });
      if (id !== null) read[name] = id.toLowerCase();
    }
    stored.push(read);
  }
  return stored;
};
