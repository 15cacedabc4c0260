// Formats what a checkout still requires as ACP messages.
import { type CodedPromotions, codePath, rejectionOf } from '#edge/assistant/discount_code.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import type { IntentRequirement } from '#proto/gen/agent.ts';

export interface Message {
  readonly type: 'error' | 'warning';
  readonly code: string;
  readonly param?: string;
  readonly resolution?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review';
  readonly content_type: 'plain';
  readonly content: string;
}

type MessageBody = Omit<Message, 'type' | 'content_type'>;

const REQUIREMENTS: Readonly<Record<IntentRequirement['code'], MessageBody | null>> = {
  missing_address: {
    code: 'missing',
    param: '$.fulfillment_details.address',
    resolution: 'recoverable',
    content: 'The checkout needs an address to deliver to, or a place to pick it up.',
  },
  missing_email: {
    code: 'missing',
    param: '$.buyer.email',
    resolution: 'recoverable',
    content: 'The checkout needs the buyer’s e-mail address.',
  },
  missing_shipping_option: {
    code: 'missing',
    param: '$.selected_fulfillment_options',
    resolution: 'recoverable',
    content: 'One of the fulfillment options has to be chosen.',
  },
  not_deliverable: {
    code: 'region_restricted',
    param: '$.fulfillment_details.address',
    resolution: 'requires_buyer_input',
    content: 'The store does not deliver to this address.',
  },
  cancelled: null,
  expired: { code: 'expired', content: 'The checkout has expired.' },
};

export const requirementMessages = (requirements: readonly IntentRequirement[]): Message[] =>
  requirements.flatMap(({ code }) => {
    const body = REQUIREMENTS[code];
    return body === null ? [] : [{ type: 'error' as const, content_type: 'plain' as const, ...body }];
  });

export const NO_HANDLER: Message = {
  type: 'error',
  code: 'unsupported',
  param: '$.payment_data',
  resolution: 'requires_buyer_input',
  content_type: 'plain',
  content: 'The store takes no payment by assistants. The buyer finishes at continue_url.',
};

export const codeMessages = (promotions: CodedPromotions): Message[] =>
  promotions.rejected_codes.map((unused) => ({
    type: 'warning',
    code: rejectionOf(unused),
    param: jsonPath(codePath(promotions, unused)),
    content_type: 'plain',
    content: `${unused.code}: ${unused.reason}`,
  }));
