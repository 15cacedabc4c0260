// HTTP message signatures against what RFC 9421 publishes, and what cannot be read.
import { expect, test } from 'vitest';
import {
  contentDigest,
  isDigestOf,
  isSignedBy,
  messageSignature,
  newKeyPair,
  readSignatures,
  signatureBase,
} from '#runtime/outbound/message_signature.ts';

/** RFC 9421, appendix B.1.3 and B.2.4. */
const PUBLISHED = {
  key: {
    kid: 'test-key-ecc-p256',
    kty: 'EC',
    crv: 'P-256',
    x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
    y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
  },
  components: [
    ['@status', '200'],
    ['content-type', 'application/json'],
    [
      'content-digest',
      'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    ],
    ['content-length', '23'],
  ],
  input:
    'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
  signature: 'sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:',
} as const;

test('the signature that the RFC publishes is genuine, and no other is', () => {
  const { key, components, input, signature } = PUBLISHED;
  const [sent] = readSignatures(input, signature)!;
  expect(sent).toMatchObject({
    components: components.map(([name]) => name),
    keyid: key.kid,
    created: 1618884473,
    expires: null,
  });
  const base = signatureBase(components, sent!.params);
  expect(isSignedBy(key, base, sent!.value)).toBe(true);
  expect(isSignedBy(key, base.replace('200', '201'), sent!.value)).toBe(false);
  expect(isSignedBy({ ...key, y: key.x }, base, sent!.value)).toBe(false);
  expect(isSignedBy(key, base, sent!.value.subarray(1))).toBe(false);
});

test('parses and verifies its own signatures', () => {
  const pair = newKeyPair();
  const components = [
    ['@method', 'POST'],
    ['@path', '/orders'],
  ] as const;
  const headers = messageSignature(components, { kid: 'a', secret: pair.secret }, 1_800_000_000_500);
  const [sent] = readSignatures(headers['signature-input'], headers.signature)!;
  expect(sent).toMatchObject({ components: ['@method', '@path'], keyid: 'a', created: 1_800_000_000 });
  const key = { kid: 'a', kty: 'EC', crv: 'P-256', x: pair.x, y: pair.y };
  expect(isSignedBy(key, signatureBase(components, sent!.params), sent!.value)).toBe(true);
});

test.each([
  ['no list', 'sig1="a"', 'sig1=:AA==:'],
  ['no bytes', 'sig1=("@method");keyid="a"', 'sig1="AA=="'],
  ['another label', 'sig1=("@method");keyid="a"', 'sig2=:AA==:'],
  ['an open list', 'sig1=("@method";keyid="a"', 'sig1=:AA==:'],
  ['a component with a parameter', 'sig1=("@query-param";name="a");keyid="a"', 'sig1=:AA==:'],
  ['nothing', '', ''],
  ['far too much', `sig1=(${'"a" '.repeat(5_000)})`, 'sig1=:AA==:'],
])('a header of %s is not read', (_, input, signature) => {
  expect(readSignatures(input, signature)).toBeNull();
});

test('several signatures are read, each with its own parameters', () => {
  const all = readSignatures(
    'a=("@method" "@path");created=5;keyid="one";alg="ecdsa-p256-sha256", b=();expires=7;keyid="t\\"wo"',
    'b=:AAAA:, a=:BBBB:',
  )!;
  expect(all.map(({ keyid, created, expires }) => [keyid, created, expires])).toEqual([
    ['one', 5, null],
    ['t"wo', null, 7],
  ]);
  expect(all[0]!.params).toBe('("@method" "@path");created=5;keyid="one";alg="ecdsa-p256-sha256"');
});

test('a digest is of exactly these bytes', () => {
  const body = Buffer.from('{"hello": "world"}');
  expect(contentDigest(body)).toBe('sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:');
  expect(isDigestOf(`sha-512=:AAAA:, ${contentDigest(body)}`, body)).toBe(true);
  expect(isDigestOf(contentDigest('{}'), body)).toBe(false);
  expect(isDigestOf('sha-512=:AAAA:', body)).toBe(false);
  expect(isDigestOf('anything', body)).toBe(false);
});
