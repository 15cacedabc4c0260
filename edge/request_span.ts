// Records a request as a trace span.
import type { Attributes } from '@opentelemetry/api';
import { tenantAttributes } from '#runtime/link/span.ts';
import { openSpan, tracingActive } from '#runtime/process/trace.ts';
import { shownPath } from './redaction.ts';
import type { RequestContext } from './request_context.ts';

interface SpanStart {
  readonly context: RequestContext;
  readonly endpoint: string | null;
}

const startAttributes = ({ context: { request, requestId }, endpoint }: SpanStart): Attributes => ({
  'http.request.method': request.method,
  'url.path': shownPath(URL.parse(request.url)?.pathname ?? ''),
  ...(endpoint === null ? {} : { 'http.route': endpoint }),
  'stoa.request_id': requestId,
});

export const beginSpan = (context: RequestContext, endpoint: string | null): void => {
  if (!tracingActive()) return;
  const { method, headers } = context.request;
  const name = endpoint === null ? method : `${method} ${endpoint}`;
  context.span = openSpan(name, 'server', headers.get('traceparent') ?? '', startAttributes, { context, endpoint });
};

export const endSpan = (context: RequestContext, { status, headers }: Response): void => {
  const { span, principal, refusal, problem } = context;
  if (!span) return;
  const failed = status >= 500;
  const attributes: Attributes = { 'http.response.status_code': status };
  if (principal) Object.assign(attributes, tenantAttributes(principal));
  if (refusal) attributes['stoa.refusal'] = refusal;
  if (failed) attributes['error.type'] = refusal ?? String(status);
  const cache = headers.get('x-cache');
  if (cache !== null) attributes['stoa.cache'] = cache;
  span.end({ attributes, failed, problem });
};
