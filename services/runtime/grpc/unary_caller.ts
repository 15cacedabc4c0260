// Reads and validates tenant, customer and idempotency key from a unary call's metadata.
import { createHash } from 'node:crypto';
import { COMMAND_LINE, PROGRAM } from '#runtime/audit/actor.ts';
import {
  type Environment,
  type Idempotency,
  invalid,
  type KeyType,
  NO_TENANT,
  Refusal,
  type Tenant,
} from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Caller } from '#runtime/link/frame.ts';
import type { UnaryCall } from './grpc.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ACTOR_NAME_LENGTH_MAX = 100;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

const isEnvironment = (text: string): text is Environment => text === 'production' || text === 'sandbox';
const isKeyType = (text: string): text is KeyType => ['internal', 'secret', 'publishable'].includes(text);

export type StoreExists = (store: string) => Promise<boolean | Refusal>;

export const storeExists =
  ({ ask }: Pick<Runtime, 'ask'>): StoreExists =>
  async (store) => {
    const profile = await ask('StoreDirectory/GetProfile', NO_TENANT, { store });
    if (profile instanceof Refusal) return profile.code === 'not_found' ? false : profile;
    return profile.id === store;
  };

const readTenant = async (call: UnaryCall, knows: StoreExists): Promise<Tenant | Refusal> => {
  const store = call.header('stoa-store');
  const environment = call.header('stoa-environment');
  if (store === '' && environment === '') return NO_TENANT;
  if (!isEnvironment(environment))
    return invalid('stoa-environment', 'The metadata `stoa-environment` must be `production` or `sandbox`.');
  if (!UUID.test(store)) return invalid('stoa-store', "The metadata `stoa-store` must be a store's id.");
  const known = await knows(store);
  if (known instanceof Refusal) return known;
  return known ? { store, environment } : invalid('stoa-store', 'No store has the id in the metadata `stoa-store`.');
};

export const readCaller = async (call: UnaryCall, knows: StoreExists): Promise<Caller | Refusal> => {
  const tenant = await readTenant(call, knows);
  if (tenant instanceof Refusal) return tenant;
  const keyType = call.header('stoa-key-type') || 'internal';
  if (!isKeyType(keyType))
    return invalid('stoa-key-type', 'The metadata `stoa-key-type` must be `internal`, `secret` or `publishable`.');
  const customer = call.header('stoa-customer');
  if (customer !== '' && !UUID.test(customer))
    return invalid('stoa-customer', "The metadata `stoa-customer` must be a customer's id.");
  const actorName = call.header('stoa-command-by');
  if (actorName.length > ACTOR_NAME_LENGTH_MAX)
    return invalid(
      'stoa-command-by',
      `The metadata \`stoa-command-by\` must have at most ${ACTOR_NAME_LENGTH_MAX} characters.`,
    );
  const keyId = actorName === '' ? PROGRAM : COMMAND_LINE;
  return { tenant, keyType, keyId, customer: customer || null, ...(actorName && { actorName }) };
};

/**
 * Returns the call's idempotency; null without a key. The fingerprint is that of the JSON, so that the order of fields
 * in the bytes does not matter.
 */
export const readIdempotency = (
  call: UnaryCall,
  customer: string | null,
  input: string,
): Idempotency | null | Refusal => {
  const key = call.header('stoa-idempotency-key');
  if (key === '') return null;
  if (!KEY.test(key))
    return invalid(
      'stoa-idempotency-key',
      'The metadata `stoa-idempotency-key` must be 1 to 255 printable ASCII characters.',
    );
  return {
    key,
    scope: `grpc ${call.path}${customer === null ? '' : ` customer ${customer}`}`,
    fingerprint: createHash('sha256').update(input).digest('hex'),
    replayOnly: false,
  };
};
