// Sends one signed batch to a channel and parses the results. The response is untrusted: it may hang, have any size, or
// name products that were not sent.
import { createHash } from 'node:crypto';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import { externalText } from '#values/text.ts';
import type { FoundChannel } from './table/channel.ts';

/** Large enough for a thousand results with a message each. */
const RESPONSE_BYTES_MAX = 1 << 20;
const MESSAGE_LENGTH_MAX = 500;

export interface ChannelLine {
  readonly product: string;
  readonly text: string;
}

export interface DeliveryResult {
  /** Reason of the rejection by product; null if the product was accepted. */
  readonly results: ReadonlyMap<string, string | null>;
  /** Null if every product has a result. */
  readonly error: string | null;
}

const deliveryFailure = (error: string): DeliveryResult => ({ results: new Map(), error });

const decoder = new TextDecoder();

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return null;
  }
};

const parseResults = (body: Uint8Array, sent: ReadonlySet<string>): ReadonlyMap<string, string | null> | null => {
  const answer = parseJson(body);
  if (!isObject(answer) || !Array.isArray(answer.results)) return null;
  const results = new Map<string, string | null>();
  for (const result of answer.results) {
    if (!isObject(result) || typeof result.product_id !== 'string') continue;
    const id = result.product_id.toLowerCase();
    if (!sent.has(id)) continue;
    if (result.status === 'rejected') {
      results.set(id, externalText(result.message, MESSAGE_LENGTH_MAX) || 'Rejected without a reason.');
    } else if (result.status === 'accepted' && !results.get(id)) results.set(id, null);
  }
  return results;
};

export interface ChannelBatch {
  readonly secret: string;
  readonly lines: readonly ChannelLine[];
  readonly realMs: number;
  readonly timeoutMs: number;
}

export const deliver = async (
  outbound: Outbound,
  { url, environment, id, format }: FoundChannel,
  { secret, lines, realMs, timeoutMs }: ChannelBatch,
): Promise<DeliveryResult> => {
  const body = `${lines.map(({ text }) => text).join('\n')}\n`;
  const answer = await outbound.send({
    url,
    environment,
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      'content-length': String(Buffer.byteLength(body)),
      'x-svc-channel-id': id,
      'x-svc-channel-format': format,
      // Derived from the lines, so that a retry has the same id.
      ...signatureHeaders({
        secrets: [secret],
        id: `push_${createHash('sha256').update(`${id}\n${body}`).digest('hex').slice(0, 32)}`,
        body,
        nowMs: realMs,
      }),
    },
    body,
    timeoutMs,
    bytesMax: RESPONSE_BYTES_MAX,
  });
  if (answer instanceof OutboundFailure) return deliveryFailure(answer.message);
  if (answer.status < 200 || answer.status > 299)
    return deliveryFailure(`The channel responded with status ${answer.status}.`);
  if (answer.truncated) return deliveryFailure(`The channel responded with more than ${RESPONSE_BYTES_MAX} bytes.`);
  const results = parseResults(answer.body, new Set(lines.map(({ product }) => product)));
  if (results === null) return deliveryFailure('The channel responded without a list `results`.');
  const missing = lines.length - results.size;
  return {
    results,
    error: missing === 0 ? null : `The channel returned results for ${results.size} of ${lines.length} products.`,
  };
};
