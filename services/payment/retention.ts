// How long what payments leave behind is kept.
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { forgetTokens } from './table/token.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'payment tokens that ended', days: 30, forget: forgetTokens },
];
