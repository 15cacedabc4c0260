// How long what happened to stock is kept.
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { forgetAdjustments } from './table/inventory.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'adjustments of stock', days: 730, forget: forgetAdjustments },
];
