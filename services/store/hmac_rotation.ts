// Rotates the HMAC secret of an environment: for 24 hours requests signed with either secret are accepted.
import type { RotateHmacSecretRequest, StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { StoreCaches } from './cache.ts';
import { isAcceptedBeside, newSecret, secretContext } from './secret.ts';
import { findHmacSecrets, type HmacSecrets, lockHmacSecrets, saveHmacSecrets } from './table/hmac_secret.ts';
import { findStore } from './table/store.ts';

const BOTH_ACCEPTED_MS = 24 * 3_600_000;

const NO_ROTATION = refuse('conflict', 'No rotation of the HMAC secret is under way, so that one secret is accepted.');

type Step = NonNullable<RotateHmacSecretRequest['step']>;

/** Returns the secrets after a step. `fresh` is used by `start` alone. */
const take = (step: Step, now: Date, secrets: HmacSecrets, fresh: () => Uint8Array): HmacSecrets | Refusal => {
  const { hmac_secret, previous_hmac_secret, previous_hmac_until } = secrets;
  const until = new Date(now.getTime() + BOTH_ACCEPTED_MS);
  if (!isAcceptedBeside(secrets, now.getTime()))
    return step === 'start'
      ? { hmac_secret: fresh(), previous_hmac_secret: hmac_secret, previous_hmac_until: until }
      : NO_ROTATION;
  if (step === 'start')
    return refuse(
      'conflict',
      `Two HMAC secrets are accepted until ${previous_hmac_until!.toISOString()}. Finish this rotation or undo it first.`,
    );
  return step === 'finish'
    ? { hmac_secret, previous_hmac_secret: null, previous_hmac_until: null }
    : { hmac_secret: previous_hmac_secret!, previous_hmac_secret: hmac_secret, previous_hmac_until: until };
};

export const hmacRotationHandlers = (
  { clock, seal }: Runtime,
  caches: StoreCaches,
): Pick<Handlers<StoreAdminRpcs>, 'RotateHmacSecret' | 'GetHmacRotation'> => ({
  RotateHmacSecret: transaction(async (tx, _call, { store: name, environment = 'production', step = 'start' }) => {
    const store = await findStore(tx.sql, name);
    const before = store && (await lockHmacSecrets(tx.sql, store.id, environment));
    if (store === null || before === null) return notFound('store', 'store');
    const made = newSecret();
    const close = (): Uint8Array => seal.close(made, secretContext('hmac', store.id, environment));
    const after = take(step, new Date(clock.real()), before, close);
    if (after instanceof Refusal) return after;
    await saveHmacSecrets(tx.sql, store.id, environment, after);
    await caches.invalidateAfterCommit(tx, store.id);
    const both_until = after.previous_hmac_until?.toISOString() ?? null;
    tx.note({ tenant: { store: store.id, environment }, after: { replaced: 'hmac', step, both_until } });
    return { environment, hmac_secret: step === 'start' ? made : null, both_until };
  }),

  GetHmacRotation: query(async (sql, _call, { store: name, environment = 'production' }) => {
    const store = await findStore(sql, name);
    const secrets = store && (await findHmacSecrets(sql, store.id, environment));
    if (secrets === null) return notFound('store', 'store');
    const both_until = isAcceptedBeside(secrets, clock.real()) ? secrets.previous_hmac_until!.toISOString() : null;
    return { environment, both_until };
  }),
});
