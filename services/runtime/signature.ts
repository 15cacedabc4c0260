// A signature belongs to the operation that it was first accepted on (contract §6, "A signature accepted on one route
// is refused on another route for as long as its timestamp lives").
import { type Call, type Refusal, refuse } from './call.ts';
import type { Postgres } from './postgres.ts';
import { sha256 } from './seal.ts';
import type { Transaction } from './transaction.ts';

/** A timestamp is accepted 5 minutes before and after its time. */
const LIVES_MS = 10 * 60_000;
const SWEEP_MAX = 5_000;

/** Binds the signatures of one tenant's calls to their operations; false where one is another operation's. */
export const bindSignatures = async (tx: Transaction, calls: readonly Call[]): Promise<boolean> => {
  // Two of one second and body have one signature.
  const operations = new Map(
    calls.flatMap(({ idempotency }) =>
      idempotency?.signature ? [[sha256(idempotency.signature).toString('hex'), idempotency.scope]] : [],
    ),
  );
  if (operations.size === 0) return true;
  const { store, environment } = calls[0]!.tenant;
  const bound = await tx.sql<{ signature: string; operation: string }[]>`
    insert into runtime.signature as seen (store, environment, signature, operation, expires_at)
    select ${store}, ${environment}, decode(signature, 'hex'), operation, ${new Date(tx.clock.real() + LIVES_MS)}
    from unnest(${[...operations.keys()]}::text[], ${[...operations.values()]}::text[]) as made (signature, operation)
    order by signature
    on conflict (store, environment, signature) do update set operation = seen.operation
    returning encode(signature, 'hex') as signature, operation`;
  return bound.every(({ signature, operation }) => operations.get(signature) === operation);
};

/** Binds the call's signature to its operation, or refuses it as another operation's. */
export const bindSignature = async (tx: Transaction, call: Call): Promise<Refusal | null> =>
  (await bindSignatures(tx, [call]))
    ? null
    : refuse('unauthorized', 'X-Signature was already used on another operation.');

/** Deletes what is over; returns how many, at most a bounded batch. */
export const sweepSignatures = async (postgres: Postgres, realMs: number): Promise<number> => {
  const gone = await postgres.sql`
    delete from runtime.signature where ctid in (
      select ctid from runtime.signature where expires_at < ${new Date(realMs)} limit ${SWEEP_MAX}
    )`;
  return gone.count;
};
