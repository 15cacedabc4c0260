// Signs messages and verifies others' signatures as HTTP message signatures (RFC 9421) with elliptic curves, and checks
// body digests (RFC 9530).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

export interface PublicJwk {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

export interface NewKeyPair {
  readonly x: string;
  readonly y: string;
  readonly secret: string;
}

export type SignedComponent = readonly [name: string, value: string];

export interface SentSignature {
  readonly components: readonly string[];
  /** The covered components and parameters exactly as received; the last line of the signature base. */
  readonly params: string;
  readonly keyid: string | null;
  readonly created: number | null;
  readonly expires: number | null;
  readonly value: Uint8Array;
}

export const LABEL = 'sig1';
const HEADER_LENGTH_MAX = 8_192;
const HASHES: Readonly<Record<string, { readonly hash: string; readonly bytes: number }>> = {
  'P-256': { hash: 'sha256', bytes: 64 },
  'P-384': { hash: 'sha384', bytes: 96 },
};

const NAME = '[a-z*][a-z0-9_.*-]*';
const TEXT = '"(?:[^"\\\\]|\\\\["\\\\])*"';
const PARAMETER = `;\\s*(${NAME})(?:=(${TEXT}|-?\\d{1,15}|\\?[01]|[A-Za-z*][^\\s,;()"]*))?`;
const INPUT = new RegExp(`\\s*(${NAME})=(\\(((?:\\s*"[^"\\\\]*")*)\\s*\\)((?:\\s*${PARAMETER})*))\\s*(?:,|$)`, 'y');
const VALUE = new RegExp(`\\s*(${NAME})=:([A-Za-z0-9+/=]*):\\s*(?:,|$)`, 'y');

const members = (header: string, member: RegExp): RegExpExecArray[] | null => {
  if (header.length > HEADER_LENGTH_MAX) return null;
  const found: RegExpExecArray[] = [];
  member.lastIndex = 0;
  while (member.lastIndex < header.length) {
    const next = member.exec(header);
    if (next === null) return null;
    found.push(next);
  }
  return found;
};

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

const parametersOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(new RegExp(PARAMETER, 'g'))].map(([, name, value = '']) => [
      name!,
      value.startsWith('"') ? unquoted(value) : value,
    ]),
  );

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;

export const readSignatures = (input: string, signature: string): readonly SentSignature[] | null => {
  const described = members(input, INPUT);
  const given = members(signature, VALUE);
  if (described === null || given === null || described.length === 0) return null;
  const values = new Map(given.map(([, label, value]) => [label!, Buffer.from(value!, 'base64')]));
  const all: SentSignature[] = [];
  for (const [, label, params, components, rest] of described) {
    const value = values.get(label!);
    if (value === undefined) return null;
    const parameters = parametersOf(rest!);
    all.push({
      components: [...components!.matchAll(/"([^"]*)"/g)].map(([, name]) => name!),
      params: params!,
      keyid: parameters.get('keyid') ?? null,
      created: numberOf(parameters.get('created')),
      expires: numberOf(parameters.get('expires')),
      value,
    });
  }
  return all;
};

/** Returns the text that is signed: one line for each component, then the parameters. */
export const signatureBase = (components: readonly SignedComponent[], params: string): string =>
  [...components.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${params}`].join('\n');

export const isKnownCurve = ({ kty, crv }: PublicJwk): boolean => kty === 'EC' && Object.hasOwn(HASHES, crv);

export const isSignedBy = (key: PublicJwk, base: string, signature: Uint8Array): boolean => {
  const known = HASHES[key.crv];
  if (!known || signature.length !== known.bytes) return false;
  const { kty, crv, x, y } = key;
  try {
    const publicKey = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
    return verify(known.hash, Buffer.from(base), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
};

export const newKeyPair = (): NewKeyPair => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, ...jwk } = privateKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined) throw new Error('a key of a curve has two coordinates');
  return { x, y, secret: JSON.stringify({ ...jwk, x, y }) };
};

export const messageSignature = (
  components: readonly SignedComponent[],
  { kid, secret }: { readonly kid: string; readonly secret: string },
  nowMs: number,
): Record<'signature-input' | 'signature', string> => {
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const params = `(${names});created=${Math.floor(nowMs / 1000)};keyid="${kid}"`;
  const key = createPrivateKey({ key: JSON.parse(secret), format: 'jwk' });
  const value = sign('sha256', Buffer.from(signatureBase(components, params)), { key, dsaEncoding: 'ieee-p1363' });
  return { 'signature-input': `${LABEL}=${params}`, signature: `${LABEL}=:${value.toString('base64')}:` };
};

const sha256 = (body: Uint8Array | string): Buffer => createHash('sha256').update(body).digest();

export const contentDigest = (body: Uint8Array | string): string => `sha-256=:${sha256(body).toString('base64')}:`;

/** Compares the SHA-256 digest in the header with the body's; ignores other algorithms. */
export const isDigestOf = (header: string, body: Uint8Array): boolean => {
  const given = members(header, VALUE)?.find(([, name]) => name === 'sha-256')?.[2];
  if (given === undefined) return false;
  const bytes = Buffer.from(given, 'base64');
  const own = sha256(body);
  return bytes.length === own.length && timingSafeEqual(bytes, own);
};
