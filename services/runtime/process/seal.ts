// Encrypts stored secrets with AES-256-GCM under the master key; hashes texts, and compares secrets in constant time.
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Encrypts and decrypts. Sealed bytes are: format 1, key id, 12 bytes of nonce, 16 bytes of tag, ciphertext. `context`
 * binds them to the row that holds them.
 */
export interface Seal {
  close(plain: string | Uint8Array, context?: string): Uint8Array;
  /** Decrypts. Throws if the bytes were changed, or were sealed under another key or context. */
  open(sealed: Uint8Array, context?: string): string;
  openBytes(sealed: Uint8Array, context?: string): Uint8Array;
  readonly isRotating: boolean;
  /** Key id of values that the first key seals; null if another key has the same id. */
  readonly currentKeyId: number | null;
  /** Seals a value again under the first key; null if it is already sealed under that key. Throws like `open`. */
  reseal(sealed: Uint8Array, context?: string): Uint8Array | null;
  /** Reads the keys again. Throws if the new ones are invalid, and retains the current ones. */
  refresh(): void;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEAD_BYTES = 2 + NONCE_BYTES + TAG_BYTES;
const NO_CONTEXT = Buffer.alloc(0);

/** Decodes canonical Base64; null for any other text, of which node would ignore the invalid characters. */
export const decodeBase64 = (text: string): Uint8Array | null => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
};

const masterKey = (text: string, name: string): Buffer => {
  const bytes = decodeBase64(text.trim());
  if (bytes === null || bytes.length !== KEY_BYTES)
    throw new Error(`${name} must be ${KEY_BYTES} random bytes in base64, for example from: openssl rand -base64 32`);
  return Buffer.from(bytes);
};

const keyId = (key: Buffer): number => createHash('sha256').update('stoa master key').update(key).digest()[0] ?? 0;

interface Ring {
  readonly text: string;
  readonly current: Buffer;
  readonly currentId: number;
  readonly byId: ReadonlyMap<number, readonly Buffer[]>;
  readonly size: number;
}

/** Parses one Base64 key, or several separated by commas during a rotation. The first key seals; each can open. */
const ringOf = (masterKeys: string): Ring => {
  const text = masterKeys.trim();
  if (!text) throw new Error('STOA_MASTER_KEY is not set: it holds 32 random bytes in base64.');
  const keys = text.split(',').map((each) => masterKey(each, 'STOA_MASTER_KEY'));
  const current = keys[0];
  if (!current) throw new Error('STOA_MASTER_KEY is empty.');
  return { text, current, currentId: keyId(current), byId: Map.groupBy(keys, keyId), size: keys.length };
};

const closeUnder = ({ current, currentId }: Ring, plain: string | Uint8Array, context?: string): Uint8Array => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(context === undefined ? NO_CONTEXT : Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain as string, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT, currentId), nonce, cipher.getAuthTag(), body]);
};

const decipher = (key: Buffer, sealed: Uint8Array, context?: string): Buffer => {
  const nonce = sealed.subarray(2, 2 + NONCE_BYTES);
  const reader = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  reader.setAAD(context === undefined ? NO_CONTEXT : Buffer.from(context));
  reader.setAuthTag(sealed.subarray(2 + NONCE_BYTES, HEAD_BYTES));
  return Buffer.concat([reader.update(sealed.subarray(HEAD_BYTES)), reader.final()]);
};

const openUnder = ({ byId }: Ring, sealed: Uint8Array, context?: string): Uint8Array | null => {
  for (const key of byId.get(sealed[1] ?? -1) ?? []) {
    try {
      return decipher(key, sealed, context);
    } catch {
      // Tries the next key with the same id.
    }
  }
  return null;
};

const isUnderFirst = ({ current, currentId }: Ring, sealed: Uint8Array, context?: string): boolean => {
  if (sealed[1] !== currentId) return false;
  try {
    decipher(current, sealed, context);
    return true;
  } catch {
    return false;
  }
};

/**
 * Seals under the keys of STOA_MASTER_KEY. `read` returns them anew: where they change while this process runs, a value
 * of another process may be under a key that this one does not know yet.
 */
export const openSeal = (masterKeys: string | undefined, read: () => string = () => masterKeys ?? ''): Seal => {
  let ring = ringOf(masterKeys ?? '');

  const refresh = (): void => {
    const text = read().trim();
    if (text !== ring.text) ring = ringOf(text);
  };

  const openBytes = (sealed: Uint8Array, context?: string): Uint8Array => {
    if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT) throw new Error('These are no sealed bytes.');
    if (!ring.byId.has(sealed[1] ?? -1)) refresh();
    const opened = openUnder(ring, sealed, context);
    if (opened === null)
      throw new Error('Sealed bytes do not open: they were changed, moved, or sealed under another master key.');
    return opened;
  };

  const close = (plain: string | Uint8Array, context?: string): Uint8Array => closeUnder(ring, plain, context);

  return {
    get isRotating() {
      return ring.size > 1;
    },
    get currentKeyId() {
      return ring.byId.get(ring.currentId)?.length === 1 ? ring.currentId : null;
    },
    reseal: (sealed, context) =>
      isUnderFirst(ring, sealed, context) ? null : close(openBytes(sealed, context), context),
    close,
    openBytes,
    open: (sealed, context) => Buffer.from(openBytes(sealed, context)).toString('utf8'),
    refresh,
  };
};

export const sha256 = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares in a time that does not depend on where two values of equal length differ; different lengths return at once.
 */
export const constantTimeEqual = (a: string | Uint8Array, b: string | Uint8Array): boolean => {
  const left = Buffer.from(a as string);
  const right = Buffer.from(b as string);
  if (left.length !== right.length) return false;
  return timingSafeEqual(left, right);
};
