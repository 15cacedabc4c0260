// One batch on its way: the lines, signed, to the channel's URL, and what the channel says of each product. Its answer is
// not trusted: it may hang, be of any size, or speak of products that it was not told of.
import { createHash } from 'node:crypto';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import { externalText } from '#values/external_text.ts';
import type { FoundChannel } from './table/channel.ts';

/** A thousand results with a message each. */
const ANSWER_BYTES_MAX = 1 << 20;
const MESSAGE_LENGTH_MAX = 500;

export interface ChannelLine {
  readonly product: string;
  /** JSON, a line or several. */
  readonly text: string;
}

export interface Delivered {
  /** By product: null accepted, else why not. */
  readonly results: ReadonlyMap<string, string | null>;
  /** Null where all were answered for. */
  readonly error: string | null;
}

const failed = (error: string): Delivered => ({ results: new Map(), error });

const decoder = new TextDecoder();

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return null;
  }
};

/** What an answer says of the products of the batch; of several results for one product a rejection counts. */
const readResults = (body: Uint8Array, asked: ReadonlySet<string>): ReadonlyMap<string, string | null> | null => {
  const answer = parsed(body);
  if (!isObject(answer) || !Array.isArray(answer.results)) return null;
  const results = new Map<string, string | null>();
  for (const result of answer.results) {
    if (!isObject(result) || typeof result.product_id !== 'string') continue;
    const id = result.product_id.toLowerCase();
    if (!asked.has(id)) continue;
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
): Promise<Delivered> => {
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
      // The same at every attempt to push the same lines.
      ...signatureHeaders({
        secrets: [secret],
        id: `push_${createHash('sha256').update(`${id}\n${body}`).digest('hex').slice(0, 32)}`,
        body,
        nowMs: realMs,
      }),
    },
    body,
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
  });
  if (answer instanceof OutboundFailure) return failed(answer.message);
  if (answer.status < 200 || answer.status > 299) return failed(`The channel answered with status ${answer.status}.`);
  if (answer.truncated) return failed('The channel answered more than a megabyte.');
  const results = readResults(answer.body, new Set(lines.map(({ product }) => product)));
  if (results === null) return failed('The channel answered no list of results.');
  const missing = lines.length - results.size;
  return {
    results,
    error: missing === 0 ? null : `The channel answered for ${results.size} of ${lines.length} products.`,
  };
};
