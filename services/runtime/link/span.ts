// What spans say of a call between processes, at both of its ends.
import type { Attributes } from '@opentelemetry/api';
import type { RefusalCode } from '#runtime/call/call.ts';
import { openSpan, type SpanEnd, tracingActive } from '#runtime/process/trace.ts';
import type { Answer, Ask, Caller } from './frame.ts';

const PACKAGE = 'stoa.v1';
/** Codes of what went wrong; any other refusal is an answer as good as one. */
const FAULTS: readonly RefusalCode[] = ['server_error', 'service_unavailable'];

/** Whose call it is. Ids alone: no key, no name, no address. */
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

/** How a call ended, as its answer tells. */
export const spanEndOf = ({ refused, replayed }: Pick<Answer, 'refused' | 'replayed'>): SpanEnd => {
  if (refused === null) return replayed ? { attributes: { 'stoa.replayed': true } } : {};
  const { code } = refused;
  const failed = FAULTS.includes(code);
  return { failed, attributes: { 'stoa.refusal': code, ...(failed ? { 'error.type': code } : {}) } };
};

/**
 * Asks another process, as a span beneath `trace` where there is one: what belongs to no request begins no trace. `ask` is
 * handed what the other process goes on beneath.
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
