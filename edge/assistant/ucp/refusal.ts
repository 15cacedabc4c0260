// Formats protocol errors over REST. Refusals that concern the purchase are sent as documents with messages instead.
import { commonHeaders } from '#edge/answer.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import { statusOf } from '#edge/gates/refusal.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Refusal, renamed } from '#runtime/call/call.ts';
import type { NegotiationFault } from './negotiation.ts';
import type { SignatureFault } from './signature.ts';

const WRAPPER = /^(?:checkout|cart|catalog)\.?/;

const answer = (
  context: RequestContext,
  status: number,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Response => {
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  Object.assign(headers, more);
  context.refusalBody = JSON.stringify(body);
  return new Response(context.request.method === 'HEAD' ? null : context.refusalBody, { status, headers });
};

/** `called` is the protocol's own code, which replaces the refusal's. */
export const refusalResponse = (
  context: RequestContext,
  refusal: Refusal,
  { allowed = [], called }: { readonly allowed?: readonly string[]; readonly called?: string } = {},
): Response => {
  const { code } = refusal;
  const { message, extra } = renamed(refusal, (param) => param.replace(WRAPPER, ''));
  const status = statusOf(refusal);
  context.refusal = code;
  return answer(
    context,
    status,
    {
      code: called ?? code,
      content: message,
      ...(extra.param && { path: jsonPath(extra.param) }),
      ...(extra.hint !== undefined && { hint: extra.hint }),
    },
    {
      ...((extra.retryAfterS !== undefined || status === 503) && {
        'Retry-After': `${Math.max(1, Math.ceil(extra.retryAfterS ?? 1))}`,
      }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="ucp"' }),
      ...(status === 405 && { Allow: allowed.join(', ') }),
    },
  );
};

export const faultResponse = (
  context: RequestContext,
  { status, code, content }: NegotiationFault,
  continueUrl: string,
): Response => {
  context.refusal = 'invalid_request';
  return answer(context, status, { code, content, continue_url: continueUrl });
};

export const unsignedResponse = (context: RequestContext, { status, code, content }: SignatureFault): Response => {
  context.refusal = status === 401 ? 'unauthorized' : 'invalid_request';
  return answer(context, status, { code, content });
};
