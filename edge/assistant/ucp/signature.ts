// Verifies platforms' signatures (RFC 9421) with the keys in their profiles. Unsigned requests pass. A signature must
// cover method, host, path, body and idempotency key, so a replayed request repeats the first effect and cannot be
// altered.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import type { PlatformProfile } from '#proto/gen/assistant.ts';
import {
  isDigestOf,
  isKnownCurve,
  isSignedBy,
  readSignatures,
  type SentSignature,
  signatureBase,
} from '#runtime/outbound/message_signature.ts';

export interface SignatureFault {
  readonly status: 400 | 401;
  readonly code:
    | 'signature_missing'
    | 'signature_invalid'
    | 'key_not_found'
    | 'digest_mismatch'
    | 'algorithm_unsupported';
  readonly content: string;
}

type Keys = PlatformProfile['signing_keys'];
type Message = Pick<AssistantCall, 'context' | 'base' | 'found'>;

/** Age of a signature at most, in seconds: idempotency keys are kept as long. */
const AGE_S_MAX = 24 * 3_600;
const AHEAD_S_MAX = 300;
const KEY_ID_LENGTH_MAX = 300;

const fault = (status: SignatureFault['status'], code: SignatureFault['code'], content: string): SignatureFault => ({
  status,
  code,
  content,
});

const neededOf = ({ context }: Message, writes: boolean): string[] => {
  const { headers, url } = context.request;
  return [
    '@method',
    '@authority',
    '@path',
    ...(new URL(url).search ? ['@query'] : []),
    ...(headers.has('ucp-agent') ? ['ucp-agent'] : []),
    ...(writes || headers.has('idempotency-key') ? ['idempotency-key'] : []),
    ...(context.requestBody?.length ? ['content-digest', 'content-type'] : []),
  ];
};

const componentOf = ({ context }: Message, name: string, authority: string): string | null => {
  const { method, headers, url } = context.request;
  const { pathname, search } = new URL(url);
  if (name === '@method') return method;
  if (name === '@authority') return authority;
  if (name === '@path') return pathname;
  if (name === '@query') return search || '?';
  return name.startsWith('@') ? null : (headers.get(name)?.trim() ?? null);
};

/**
 * Hosts that a signature may name: the request's own, and Stoa's and the store's, because a proxy may change the Host
 * header.
 */
const authorities = ({ context, base, found }: Message): Set<string> =>
  new Set([(context.request.headers.get('host') ?? '').toLowerCase(), new URL(base).host, new URL(found).host]);

const isTimely = ({ created, expires }: SentSignature, nowS: number): boolean =>
  (created === null || (created <= nowS + AHEAD_S_MAX && created >= nowS - AGE_S_MAX)) &&
  (expires === null || expires >= nowS);

const faultOf = (message: Message, sent: SentSignature, keys: Keys, writes: boolean): SignatureFault | null => {
  const { headers } = message.context.request;
  const left = neededOf(message, writes).find((name) => !sent.components.includes(name));
  if (left !== undefined) return fault(401, 'signature_missing', `The signature does not cover ${left}.`);
  const key = keys.find(({ kid }) => kid === sent.keyid);
  if (!key) return fault(401, 'key_not_found', 'The profile that UCP-Agent names publishes no such key.');
  if (!isKnownCurve(key)) return fault(400, 'algorithm_unsupported', 'Keys of P-256 and P-384 are verified.');
  const digest = headers.get('content-digest');
  if (digest !== null && !isDigestOf(digest, message.context.requestBody ?? new Uint8Array()))
    return fault(400, 'digest_mismatch', 'Content-Digest is not the SHA-256 of the body.');
  const genuine = [...authorities(message)].some((authority) => {
    const components = sent.components.map((name) => [name, componentOf(message, name, authority)] as const);
    const lines = components.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    return lines.length === components.length && isSignedBy(key, signatureBase(lines, sent.params), sent.value);
  });
  if (!genuine) return fault(401, 'signature_invalid', `The request is not signed as it is by the key ${key.kid}.`);
  return isTimely(sent, Date.now() / 1000)
    ? null
    : fault(401, 'signature_invalid', 'The signature is too old, or of a time to come.');
};

export const signingKey = (headers: Headers): string | null => {
  const [first] = readSignatures(headers.get('signature-input') ?? '', headers.get('signature') ?? '') ?? [];
  return first?.keyid?.slice(0, KEY_ID_LENGTH_MAX) ?? null;
};

export const isSigned = ({ context }: Message): boolean => context.request.headers.has('signature');

/**
 * Returns null if the request is unsigned or validly signed. `writes` says that the signature must cover the
 * idempotency key.
 */
export const signatureFault = (message: Message, keys: Keys, writes: boolean): SignatureFault | null => {
  const { headers } = message.context.request;
  const input = headers.get('signature-input');
  const signature = headers.get('signature');
  if (input === null && signature === null) return null;
  if (input === null || signature === null)
    return fault(401, 'signature_missing', 'Signature-Input and Signature are sent together.');
  const all = readSignatures(input, signature);
  if (all === null) return fault(401, 'signature_invalid', 'Signature-Input or Signature cannot be read.');
  const faults = all.map((sent) => faultOf(message, sent, keys, writes));
  return faults.includes(null) ? null : faults[0]!;
};
