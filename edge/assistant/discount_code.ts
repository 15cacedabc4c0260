// Formats discount codes for the protocols: every code that was sent, and why a code does not apply.
import type { UnusedCode } from '#proto/gen/agent.ts';

export interface CodedPromotions {
  readonly promotion_codes: readonly string[];
  readonly rejected_codes: readonly UnusedCode[];
}

export const codesSent = ({ promotion_codes, rejected_codes }: CodedPromotions): string[] => [
  ...new Set([...promotion_codes, ...rejected_codes.map(({ code }) => code)]),
];

export const codePath = (promotions: CodedPromotions, { code }: UnusedCode): string =>
  `discounts.codes[${codesSent(promotions).indexOf(code)}]`;

const REASONS: Readonly<Record<string, string | undefined>> = {
  expired: 'discount_code_expired',
  used_up: 'discount_code_usage_limit_reached',
  used_by_customer: 'discount_code_usage_limit_reached',
  minimum_not_met: 'discount_code_minimum_not_met',
  not_combinable: 'discount_code_combination_disallowed',
};

export const rejectionOf = ({ cause, expired }: UnusedCode): string =>
  REASONS[cause ?? ''] ?? (expired ? 'discount_code_expired' : 'discount_code_invalid');
