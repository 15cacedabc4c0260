// A signature belongs to the operation that it was first accepted on (contract §6, "A signature accepted on one route
// is refused on another route for as long as its timestamp lives").
import { type Call, type Refusal, refuse } from './call.ts';
import type { Postgres } from './postgres.ts';
import { sha256 } from './seal.ts';
import type { Transaction } from './transaction.ts';

/** A timestamp is accepted 5 minutes before and after its time. */
const LIVES_MS = 10 * 60_000;
const SWEEP_MAX = 5_000;

/** Binds the call's signature to its operation, or refuses it as another operation's. */
export const bindSignature = async (tx: Transaction, { idempotency, tenant }: Call): Promise<Refusal | null> => {
  if (!idempotency?.signature) return null;
  const [bound] = await tx.sql<{ operation: string }[]>`
    insert into runtime.signature as seen (store, environment, signature, operation, expires_at)
    values (${tenant.store}, ${tenant.environment}, ${sha256(idempotency.signature)}, ${idempotency.scope},
      ${new Date(tx.clock.real() + LIVES_MS)})
    on conflict (store, environment, signature) do update set operation = seen.operation
    returning operation`;
  return bound?.operation === idempotency.scope
    ? null
    : refuse('unauthorized', 'X-Signature was already used on another operation.');
};

/** Deletes what is over; returns how many, at most a bounded batch. */
export const sweepSignatures = async (postgres: Postgres, realMs: number): Promise<number> => {
  const gone = await postgres.sql`
    delete from runtime.signature where ctid in (
      select ctid from runtime.signature where expires_at < ${new Date(realMs)} limit ${SWEEP_MAX}
    )`;
  return gone.count;
};
