// Search cursors: the position of a page's last product, and values of the first page that later pages reuse.
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';
import { positionKeys, type ResultPosition, readPosition } from './engine/order.ts';
import type { SearchCursor } from './engine/search.ts';

const KEYS_MAX = 4;
const WEIGHTS_MAX = 64;
const WEIGHT_MAX = 1 << 16;

export const writeSearchCursor = (
  scope: string,
  { position, pins, threshold, semantic, space }: SearchCursor,
): string => {
  const keys = positionKeys(position);
  return encodeCursor(scope, [keys.length, ...keys, pins.relaxed, semantic, threshold, space, ...pins.weights]);
};

export const readSearchCursor = (scope: string, cursor: string): SearchCursor | null => {
  const keys = decodeCursor(scope, cursor);
  const count = Number(keys?.[0]);
  if (keys === null || !Number.isInteger(count) || count < 2 || count > KEYS_MAX) return null;
  const position: ResultPosition | null = readPosition(keys.slice(1, count + 1));
  const [relaxed, semantic, threshold, space, ...weights] = keys.slice(count + 1);
  if (position === null || typeof relaxed !== 'boolean' || typeof semantic !== 'boolean') return null;
  if (
    typeof threshold !== 'number' ||
    typeof space !== 'number' ||
    weights.length > WEIGHTS_MAX ||
    !weights.every(isWeight)
  )
    return null;
  return { position, pins: { relaxed, weights: weights as number[] }, threshold, semantic, space };
};

const isWeight = (key: CursorKey): boolean => Number.isInteger(key) && Number(key) > 0 && Number(key) < WEIGHT_MAX;
