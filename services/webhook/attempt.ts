// Makes one delivery attempt: signs the event, sends it to the endpoint and returns the outcome.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { merchantSignature, signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { acpOrderEvent } from './acp_order.ts';
import { type ReadOrder, readOrderEvent } from './order_event.ts';
import type { PlatformSigner } from './signing_key.ts';
import { type EndpointRecord, secretContext } from './table/endpoint.ts';
import { ucpOrderEvent } from './ucp_order.ts';

export const ATTEMPT_MS = 30_000;
/** Maximum number of bytes read of a response; only its status matters. */
const ANSWER_BYTES_MAX = 1_024;

export interface Receiver
  extends Pick<EndpointRecord, 'url' | 'secret' | 'previous_secret' | 'previous_until' | 'format' | 'found_at'> {
  readonly store: string;
  readonly environment: Environment;
  readonly endpoint: string;
}

export interface WebhookMessage {
  readonly id: string;
  readonly payload: string;
}

export interface AttemptResult {
  readonly success: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
}

export interface Sender {
  readonly outbound: Outbound;
  readonly seal: Seal;
  readonly realMs: () => number;
  readonly publicUrl: () => string;
  /** Returns the store's signing key that is valid at `now` of the tenant's clock. */
  readonly signer: (tenant: Tenant, now: Date) => Promise<PlatformSigner>;
  readonly order: ReadOrder;
}

const secretsOf = (seal: Seal, receiver: Receiver, now: Date): string[] => {
  const { store, environment, endpoint, secret, previous_secret: previous, previous_until: until } = receiver;
  const context = secretContext(store, environment, endpoint);
  const both = previous !== null && until !== null && until > now ? [secret, previous] : [secret];
  return both.map((sealed) => seal.open(sealed, context));
};

interface SignedMessage {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const writeMessage = async (
  { seal, realMs, publicUrl, signer, order }: Sender,
  receiver: Receiver,
  { id, payload }: WebhookMessage,
  now: Date,
): Promise<SignedMessage | null> => {
  const { url, format, found_at } = receiver;
  const nowMs = realMs();
  const json = { 'content-type': 'application/json' };
  if (format === 'stoa') {
    const signed = signatureHeaders({ secrets: secretsOf(seal, receiver, now), id, body: payload, nowMs });
    return { body: payload, headers: { ...json, ...signed } };
  }
  const event = await readOrderEvent(payload, receiver, order);
  if (event === null) return null;
  const base = `${publicUrl()}/s/${receiver.store}`;
  if (format === 'ucp') {
    const profile = found_at ?? `${base}/.well-known/ucp`;
    return ucpOrderEvent(event, { url, base, profile, signer: await signer(receiver, now), nowMs });
  }
  const body = acpOrderEvent(event, base);
  return {
    body,
    headers: { ...json, ...merchantSignature({ secrets: secretsOf(seal, receiver, now), id, body, nowMs }) },
  };
};

const failed = (status: number | null, error: string, tookMs: number): AttemptResult => ({
  success: false,
  status,
  error,
  tookMs,
});

export const attempt = async (
  sender: Sender,
  receiver: Receiver,
  message: WebhookMessage,
  { now, timeoutMs = ATTEMPT_MS }: { readonly now: Date; readonly timeoutMs?: number },
): Promise<AttemptResult> => {
  const startedAt = performance.now();
  const signed = await writeMessage(sender, receiver, message, now);
  if (signed === null) return failed(null, 'The order no longer exists.', 0);
  const { body, headers } = signed;
  const answer = await sender.outbound.send({
    url: receiver.url,
    environment: receiver.environment,
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
  });
  const tookMs = Math.round(performance.now() - startedAt);
  if (answer instanceof OutboundFailure) return failed(null, answer.message, tookMs);
  const { status } = answer;
  return status >= 200 && status < 300
    ? { success: true, status, error: null, tookMs }
    : failed(status, `The endpoint answered with status ${status}.`, tookMs);
};
