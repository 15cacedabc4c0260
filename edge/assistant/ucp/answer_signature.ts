// Signs responses that platforms keep as proof (RFC 9421): completed checkouts and orders.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { Refusal } from '#runtime/call/call.ts';
import { contentDigest } from '#runtime/outbound/message_signature.ts';

const SIGNED: ReadonlySet<string> = new Set(['complete_checkout', 'get_order']);

/** Adds signature headers. Without a signature the response is sent unsigned, because its effect has happened. */
export const signAnswer = async (
  { core }: AssistantCall,
  operation: string,
  answer: { readonly status: number; readonly text: string; readonly headers: Record<string, string> },
): Promise<void> => {
  if (!SIGNED.has(operation)) return;
  const { status, text, headers } = answer;
  const content_digest = contentDigest(text);
  const signed = await core.signAnswer({ status, content_digest, content_type: 'application/json' });
  if (signed instanceof Refusal) return;
  headers['Content-Digest'] = content_digest;
  headers['Signature-Input'] = signed.signature_input;
  headers.Signature = signed.signature;
};
