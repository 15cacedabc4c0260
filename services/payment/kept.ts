// How long what payments leave behind is kept.
import type { Kept } from '#runtime/flow/retention.ts';
import { forgetTokens } from './table/token.ts';

export const KEPT: readonly Kept[] = [{ what: 'payment tokens that ended', days: 30, forget: forgetTokens }];
