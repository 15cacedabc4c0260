// Fetches a feed's document from where its merchant keeps it.
import type { Environment } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { DOCUMENT_BYTES_MAX } from './payload.ts';
import type { Spool } from './spool.ts';

const FETCH_TIMEOUT_MS = 60_000;

/** Null once the document is in the spool; otherwise the reason as a sentence. */
export const fetchDocument = async (
  outbound: Outbound,
  url: string,
  environment: Environment,
  spool: Spool,
): Promise<string | null> => {
  const answer = await outbound.send({
    url,
    environment,
    timeoutMs: FETCH_TIMEOUT_MS,
    bytesMax: DOCUMENT_BYTES_MAX,
    sink: (chunk) => spool.append(chunk),
  });
  if (answer instanceof OutboundFailure) return answer.message;
  if (answer.status !== 200) return `The address answered with status ${answer.status}.`;
  if (answer.truncated) return `The file is larger than ${DOCUMENT_BYTES_MAX} bytes.`;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? null : `The file came compressed (${encoding}), which was not asked for.`;
};
