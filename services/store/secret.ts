// Keys and secrets as texts: how they look, how they are made, how a key is remembered without being kept.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Environment } from '#runtime/call/call.ts';
import { sha256 } from '#runtime/process/seal.ts';

export type ApiKeyType = 'publishable' | 'secret' | 'operator';

export interface NewKey {
  readonly id: string;
  readonly type: ApiKeyType;
  readonly environment: Environment;
  /** Shown once, then gone. */
  readonly text: string;
  readonly hash: Uint8Array;
}

/** Twice what a key needs to be beyond guessing. */
const KEY_RANDOM_BYTES = 24;
const SECRET_RANDOM_BYTES = 32;

const TYPE_PREFIX: Readonly<Record<ApiKeyType, string>> = {
  publishable: 'svc_pk_',
  secret: 'svc_sk_',
  operator: 'svc_mk_',
};
const ENVIRONMENT_PREFIX: Readonly<Record<Environment, string>> = { production: 'live_', sandbox: 'test_' };

/** A fresh key. Specification, "Keys"; operator keys: contract 2.7. */
export const newKey = (type: ApiKeyType, environment: Environment): NewKey => {
  const random = randomBytes(KEY_RANDOM_BYTES).toString('hex');
  const text = TYPE_PREFIX[type] + ENVIRONMENT_PREFIX[environment] + random;
  return { id: randomUUID(), type, environment, text, hash: hashKey(text) };
};

/** What is stored of a key. A plain hash will do: there is too much chance in a key to try all of them. */
export const hashKey = (text: string): Uint8Array => sha256(text);

/** A fresh secret for signatures; its text is the key, letter for letter. */
export const newSecret = (): string => randomBytes(SECRET_RANDOM_BYTES).toString('hex');

/** Binds a sealed secret to its row, so that it does not open in another. */
export const secretContext = (kind: 'hmac' | 'external_auth', store: string, environment: Environment): string =>
  `store/${store}/${environment}/${kind}`;
