// Everything the demo shop sells, in the order in which it is put on the shelf.
import { BAGS } from './product/bag.ts';
import { CERAMICS } from './product/ceramic.ts';
import { COFFEE } from './product/coffee.ts';
import { GARDEN } from './product/garden.ts';
import { KITCHEN } from './product/kitchen.ts';
import { LIGHTING } from './product/lighting.ts';
import { OUTDOORS } from './product/outdoor.ts';
import { STATIONERY } from './product/stationery.ts';
import { TEXTILES } from './product/textile.ts';
import type { DemoProduct } from './shop.ts';

const ROOMS = [OUTDOORS, STATIONERY, GARDEN, LIGHTING, KITCHEN, BAGS, COFFEE, TEXTILES, CERAMICS];

/**
 * One from each category in turn, each category's best last: lists show the newest first, so that their first page
 * is a walk through the whole shop.
 */
export const PRODUCTS: readonly DemoProduct[] = Array.from({ length: Math.max(...ROOMS.map((room) => room.length)) })
  .flatMap((_, turn) => ROOMS.flatMap((room) => room[turn] ?? []))
  .reverse();
