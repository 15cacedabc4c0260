// How long what orders leave behind is kept.
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { forgetDecisions } from './table/decision.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'decisions about attempts at orders', days: 30, forget: forgetDecisions },
];
