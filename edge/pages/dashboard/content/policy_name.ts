// Kinds of policies, by the names that staff read.
import type { Policy } from '#proto/client/dashboard.ts';

export type PolicyKind = Policy['type'];

export const POLICY_TYPES: readonly PolicyKind[] = ['terms', 'privacy', 'returns', 'shipping', 'refund'];

export const POLICY_NAMES: Readonly<Record<PolicyKind, string>> = {
  terms: 'Terms of service',
  privacy: 'Privacy',
  returns: 'Returns',
  shipping: 'Delivery',
  refund: 'Refunds',
};
