// How long promises are kept that became no order.
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { forgetPromises } from './table/expiry.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'quotes that became no order', days: 90, forget: forgetPromises('quote') },
  { what: 'cart drafts that became no order', days: 90, forget: forgetPromises('draft') },
  { what: 'checkout intents that became no order', days: 90, forget: forgetPromises('intent') },
];
