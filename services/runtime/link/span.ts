// Traces calls between processes: names their spans' attributes and wraps calls in spans.
import type { Attributes } from '@opentelemetry/api';
import type { RefusalCode } from '#runtime/call/call.ts';
import { openSpan, type SpanEnd, tracingActive } from '#runtime/process/trace.ts';
import type { Answer, Ask, Caller } from './frame.ts';

const PACKAGE = 'stoa.v1';
const FAULTS: readonly RefusalCode[] = ['server_error', 'service_unavailable'];

/** Returns ids only: no key, name or address. */
export const tenantAttributes = ({ tenant, keyType }: Pick<Caller, 'tenant' | 'keyType'>): Attributes =>
  tenant.store === ''
    ? { 'stoa.key_type': keyType }
    : { 'stoa.store': tenant.store, 'stoa.environment': tenant.environment, 'stoa.key_type': keyType };

export const rpcAttributes = ({ rpc, caller, requestId }: Pick<Ask, 'rpc' | 'caller' | 'requestId'>): Attributes => {
  const at = rpc.indexOf('/');
  const attributes = tenantAttributes(caller);
  attributes['rpc.system'] = 'grpc';
  attributes['rpc.service'] = `${PACKAGE}.${rpc.slice(0, at)}`;
  attributes['rpc.method'] = rpc.slice(at + 1);
  if (requestId !== '') attributes['stoa.request_id'] = requestId;
  return attributes;
};

export const spanEndOf = ({ refused, replayed }: Pick<Answer, 'refused' | 'replayed'>): SpanEnd => {
  if (refused === null) return replayed ? { attributes: { 'stoa.replayed': true } } : {};
  const { code } = refused;
  const failed = FAULTS.includes(code);
  return { failed, attributes: { 'stoa.refusal': code, ...(failed ? { 'error.type': code } : {}) } };
};

/**
 * Wraps a call to another process in a span below `trace`. Without `trace` no span starts. `ask` gets the span's
 * traceparent.
 */
export const traced = (
  asked: Pick<Ask, 'rpc' | 'caller' | 'requestId'>,
  trace: string,
  ask: (trace: string) => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  if (trace === '' || !tracingActive()) return ask(trace);
  const span = openSpan(asked.rpc, 'client', trace, rpcAttributes, asked);
  const answer = ask(span?.trace ?? trace);
  const end = (given: Answer): Answer => {
    span?.end(spanEndOf(given));
    return given;
  };
  return answer instanceof Promise ? answer.then(end) : end(answer);
};
