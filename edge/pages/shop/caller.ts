// One buyer at one page of a store: what the page may ask for them, and with which rights.
import type { Core } from '#edge/assistant/core.ts';
import { readBody } from '#edge/gates/body.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { Place } from './sheet.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMITS = { bytes_max: 16_384, raw: [FORM] };

const decoder = new TextDecoder();

export interface PageCall extends Place {
  readonly context: RequestContext;
  /** What the address names: an intent, an order, or a policy's type. */
  readonly name: string;
  /** The store's address, without a slash at its end. */
  readonly base: string;
  readonly core: Core;
  /** What a visitor may do a few times a minute; null: they may. */
  attempt(): Promise<Refusal | null>;
}

/** Null: it is no form. */
export const readForm = async (context: RequestContext): Promise<URLSearchParams | null> => {
  const body = await readBody(context.request, FORM_LIMITS);
  if (body instanceof Refusal || body.mediaType !== FORM) return null;
  return new URLSearchParams(decoder.decode(body.bytes));
};
