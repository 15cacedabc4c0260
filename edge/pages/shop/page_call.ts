// The call that a request for a store's page makes: the store, its environment, and the core that acts for the buyer.
import type { Core } from '#edge/assistant/core.ts';
import { readBody } from '#edge/gates/body.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { PageContext } from './page_document.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMITS = { bytes_max: 16_384, raw: [FORM] };

const decoder = new TextDecoder();

export interface PageCall extends PageContext {
  readonly context: RequestContext;
  /** Last segment of the path: the id of a checkout intent or order, or the type of a policy. */
  readonly name: string;
  readonly base: string;
  readonly core: Core;
  attempt(): Promise<Refusal | null>;
}

const NO_FORM = refuse('unsupported_media_type', 'A form is needed.');

export const readForm = async (context: RequestContext): Promise<URLSearchParams | Refusal> => {
  const body = await readBody(context.request, FORM_LIMITS);
  if (body instanceof Refusal) return body;
  return body.mediaType === FORM ? new URLSearchParams(decoder.decode(body.bytes)) : NO_FORM;
};
