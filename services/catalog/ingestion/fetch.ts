// Fetches a feed's document from where its merchant keeps it.
import type { Environment } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { DOCUMENT_BYTES_MAX } from './payload.ts';

const FETCH_TIMEOUT_MS = 60_000;

/** The document, or a sentence that says why there is none. */
export const fetchDocument = async (
  outbound: Outbound,
  url: string,
  environment: Environment,
): Promise<Uint8Array | string> => {
  const answer = await outbound.send({
    url,
    environment,
    timeoutMs: FETCH_TIMEOUT_MS,
    bytesMax: DOCUMENT_BYTES_MAX,
  });
  if (answer instanceof OutboundFailure) return answer.message;
  if (answer.status !== 200) return `The address answered with status ${answer.status}.`;
  if (answer.truncated) return `The file is larger than ${DOCUMENT_BYTES_MAX} bytes.`;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? answer.body : `The file came compressed (${encoding}), which was not asked for.`;
};
