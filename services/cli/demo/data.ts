// Reads the demo shops' catalogue from the JSON files beside this one.
import { readFileSync } from 'node:fs';
import type { DemoCategory, DemoCollection, DemoLookbook, DemoProduct } from './shop.ts';

const read = <T>(file: string): readonly T[] => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** Categories with their entries in taxonomies of sales channels. */
export const CATEGORIES = read<DemoCategory>('category.json');
export const COLLECTIONS = read<DemoCollection>('collection.json');
export const LOOKBOOKS = read<DemoLookbook>('lookbook.json');

const ROOMS = ['outdoor', 'stationery', 'garden', 'lighting', 'kitchen', 'bag', 'coffee', 'textile', 'ceramic'].map(
  (room) => read<DemoProduct>(`product/${room}.json`),
);

/** One product of each category in turn, the best last, since lists show the newest first. */
export const PRODUCTS: readonly DemoProduct[] = Array.from({ length: Math.max(...ROOMS.map((room) => room.length)) })
  .flatMap((_, turn) => ROOMS.flatMap((room) => room[turn] ?? []))
  .reverse();

export const TRADE_CATEGORIES = read<DemoCategory>('trade/category.json');
export const TRADE_PRODUCTS = read<DemoProduct>('trade/product.json');
