// Creates API keys and secrets, and hashes keys for storage.
import { randomBytes, randomUUID } from 'node:crypto';
import type { PreviousHmacSecret } from '#proto/gen/store_directory.ts';
import type { Environment, Tenant } from '#runtime/call/call.ts';
import { type Seal, sha256 } from '#runtime/process/seal.ts';
import type { HmacSecrets } from './table/hmac_secret.ts';

export type ApiKeyType = 'publishable' | 'secret' | 'operator';

export interface NewKey {
  readonly id: string;
  readonly type: ApiKeyType;
  readonly environment: Environment;
  readonly text: string;
  /** Last characters of the text, by which people tell keys apart. */
  readonly lastFour: string;
  readonly hash: Uint8Array;
}

const KEY_RANDOM_BYTES = 24;
const SECRET_RANDOM_BYTES = 32;

const TYPE_PREFIX: Readonly<Record<ApiKeyType, string>> = {
  publishable: 'svc_pk_',
  secret: 'svc_sk_',
  operator: 'svc_mk_',
};
const ENVIRONMENT_PREFIX: Readonly<Record<Environment, string>> = { production: 'live_', sandbox: 'test_' };

export const keyPrefix = (type: ApiKeyType, environment: Environment): string =>
  TYPE_PREFIX[type] + ENVIRONMENT_PREFIX[environment];

export const newKey = (type: ApiKeyType, environment: Environment): NewKey => {
  const random = randomBytes(KEY_RANDOM_BYTES).toString('hex');
  const text = keyPrefix(type, environment) + random;
  return { id: randomUUID(), type, environment, text, lastFour: text.slice(-4), hash: hashKey(text) };
};

/** Uses a plain hash: a key has 24 random bytes, too many to guess. */
export const hashKey = (text: string): Uint8Array => sha256(text);

export const newSecret = (): string => randomBytes(SECRET_RANDOM_BYTES).toString('hex');

/** Returns the context that binds a sealed secret to its row; in another row it cannot be opened. */
export const secretContext = (kind: 'hmac' | 'external_auth', store: string, environment: Environment): string =>
  `store/${store}/${environment}/${kind}`;

export const keySecretContext = (store: string, environment: Environment, keyId: string): string =>
  `store/${store}/${environment}/key/${keyId}/hmac`;

type Previous = Pick<HmacSecrets, 'previous_hmac_secret' | 'previous_hmac_until'>;

/** Whether the secret before the current one is accepted as well. */
export const isAcceptedBeside = ({ previous_hmac_secret, previous_hmac_until }: Previous, nowMs: number): boolean =>
  previous_hmac_secret !== null && previous_hmac_until !== null && previous_hmac_until.getTime() > nowMs;

/** Opens the secret before the current one; null if none is accepted. */
export const openPreviousSecret = (
  seal: Seal,
  { store, environment }: Tenant,
  secrets: Previous,
  nowMs: number,
): PreviousHmacSecret | null =>
  isAcceptedBeside(secrets, nowMs)
    ? {
        secret: seal.open(secrets.previous_hmac_secret!, secretContext('hmac', store, environment)),
        until_ms: secrets.previous_hmac_until!.getTime(),
      }
    : null;
