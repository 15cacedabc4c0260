// One attempt to deliver: the event's bytes, signed, to the endpoint's URL, and what came back.
import type { Environment } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { merchantSignature, signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { acpOrderEvent } from './acp_order.ts';
import { type EndpointRecord, secretContext } from './table/endpoint.ts';

/** "30 seconds per attempt." */
export const ATTEMPT_MS = 30_000;
/** What receivers answer is not looked at beyond its status. */
const ANSWER_BYTES_MAX = 1_024;

/** Whom it goes to. */
export interface Receiver
  extends Pick<EndpointRecord, 'url' | 'secret' | 'previous_secret' | 'previous_until' | 'format'> {
  readonly store: string;
  readonly environment: Environment;
  readonly endpoint: string;
}

export interface WebhookMessage {
  /** The event's id: the same at every attempt. */
  readonly id: string;
  readonly payload: string;
}

export interface AttemptResult {
  readonly success: boolean;
  /** Null where it did not answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
}

export interface Sender {
  readonly outbound: Outbound;
  readonly seal: Seal;
  /** Real time, for signatures. */
  readonly realMs: () => number;
  /** Under which pages of orders are found. */
  readonly publicUrl: () => string;
}

/** `now` is the tenant's. */
const secretsOf = (seal: Seal, receiver: Receiver, now: Date): string[] => {
  const { store, environment, endpoint, secret, previous_secret: previous, previous_until: until } = receiver;
  const context = secretContext(store, environment, endpoint);
  const both = previous !== null && until !== null && until > now ? [secret, previous] : [secret];
  return both.map((sealed) => seal.open(sealed, context));
};

export const attempt = async (
  { outbound, seal, realMs, publicUrl }: Sender,
  receiver: Receiver,
  message: WebhookMessage,
  { now, timeoutMs = ATTEMPT_MS }: { readonly now: Date; readonly timeoutMs?: number },
): Promise<AttemptResult> => {
  const startedAt = performance.now();
  const secrets = secretsOf(seal, receiver, now);
  const { id } = message;
  const acp = receiver.format === 'acp';
  const payload = acp ? acpOrderEvent(message.payload, `${publicUrl()}/s/${receiver.store}`) : message.payload;
  const sign = acp ? merchantSignature : signatureHeaders;
  const answer = await outbound.send({
    url: receiver.url,
    environment: receiver.environment,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
      ...sign({ secrets, id, body: payload, nowMs: realMs() }),
    },
    body: payload,
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
  });
  const tookMs = Math.round(performance.now() - startedAt);
  if (answer instanceof OutboundFailure) return { success: false, status: null, error: answer.message, tookMs };
  const { status } = answer;
  const success = status >= 200 && status < 300;
  return { success, status, error: success ? null : `The endpoint answered with status ${status}.`, tookMs };
};
