// Formats requirements and refusals as UCP messages with a path and a severity.
import { type CodedPromotions, codePath, rejectionOf } from '#edge/assistant/discount_code.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import type { IntentRequirement } from '#proto/gen/agent.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { FAILED } from './envelope.ts';
import type { Failure, Message } from './schema.ts';

type Severity = NonNullable<Message['severity']>;

const REQUIREMENTS: Readonly<Record<IntentRequirement['code'], Omit<Message, 'type'> | null>> = {
  missing_address: {
    code: 'missing_address',
    content: 'The checkout needs an address to deliver to, or a place to pick it up.',
    path: '$.fulfillment.methods[0].destinations',
    severity: 'recoverable',
  },
  missing_email: {
    code: 'missing_email',
    content: 'The checkout needs the buyer’s e-mail address.',
    path: '$.buyer.email',
    severity: 'recoverable',
  },
  missing_shipping_option: {
    code: 'missing_fulfillment_option',
    content: 'One of the fulfillment options has to be chosen.',
    path: '$.fulfillment.methods[0].groups[0].selected_option_id',
    severity: 'recoverable',
  },
  not_deliverable: {
    code: 'address_undeliverable',
    content: 'The store does not deliver to this address.',
    path: '$.fulfillment.methods[0].destinations[0]',
    severity: 'recoverable',
  },
  cancelled: null,
  expired: { code: 'expired', content: 'The checkout has expired.', severity: 'unrecoverable' },
};

export const requirementMessages = (requirements: readonly IntentRequirement[]): Message[] =>
  requirements.flatMap(({ code }) => {
    const message = REQUIREMENTS[code];
    return message === null ? [] : [{ type: 'error' as const, ...message }];
  });

export const NO_HANDLER: Message = {
  type: 'error',
  code: 'payment_unavailable',
  content: 'The store takes no payment by assistants. The buyer finishes at continue_url.',
  path: '$.payment',
  severity: 'requires_buyer_input',
};

/** Returns warnings for discount codes that do not apply; the checkout continues without these codes. */
export const codeMessages = (promotions: CodedPromotions): Message[] =>
  promotions.rejected_codes.map((unused) => ({
    type: 'warning',
    code: rejectionOf(unused),
    content: `${unused.code}: ${unused.reason}`,
    path: jsonPath(codePath(promotions, unused)),
  }));

const CODES: Readonly<Partial<Record<Refusal['code'], string>>> = {
  insufficient_stock: 'out_of_stock',
  shipping_not_deliverable: 'address_undeliverable',
  payment_declined: 'payment_failed',
  amount_mismatch: 'payment_failed',
};

const codeOf = ({ code, extra: { param = '' } }: Refusal): string => {
  if (/^payment\.instruments\[\d+\]\.(?:credential\.token|handler_id|type)$/.test(param)) return 'payment_failed';
  const isUnknown = code === 'not_found' || code === 'invalid_request';
  return isUnknown && /^line_items\[\d+\]\.item\.id$/.test(param) ? 'item_unavailable' : (CODES[code] ?? code);
};

/** `refusal` must name its field as the request does. */
export const refusalMessage = (refusal: Refusal, severity: Severity): Message => {
  const { message, extra } = refusal;
  return {
    type: 'error',
    code: codeOf(refusal),
    content: message,
    ...(extra.param !== undefined && { path: jsonPath(extra.param) }),
    severity,
  };
};

export const failureOf = (refusal: Refusal, continueUrl: string | null = null): Failure => ({
  ucp: FAILED,
  messages: [refusalMessage(refusal, 'unrecoverable')],
  ...(continueUrl !== null && { continue_url: continueUrl }),
});
