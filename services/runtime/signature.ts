// A signature belongs to the route that it was first accepted on (contract §6, "A signature accepted on one route is
// refused on another route for as long as its timestamp lives"). What two requests of one second say alike they sign
// alike: two orders that are shipped at once have one signature, so one that came with the same Idempotency-Key, too,
// belongs to the very record.
import { type Call, type Idempotency, type Refusal, refuse, type Tenant } from './call.ts';
import type { Postgres, Sql } from './postgres.ts';
import { sha256 } from './seal.ts';
import type { Transaction } from './transaction.ts';

/** A timestamp is accepted 5 minutes before and after its time. */
const LIVES_MS = 10 * 60_000;
const SWEEP_MAX = 5_000;

const ID = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi;

/** What a call's signature may be bound to, and under which name it is looked up. */
export interface Bond {
  readonly name: string;
  readonly operation: string;
}

const nameOf = (text: string): string => sha256(text).toString('hex');

/** The bond of a signature with a route. */
export const routeBond = ({ signature, scope }: Pick<Idempotency, 'signature' | 'scope'>): Bond => ({
  name: nameOf(signature),
  operation: scope.replace(ID, '/:id'),
});

const bondsOf = (idempotency: Idempotency): readonly Bond[] => {
  const { signature, scope, key } = idempotency;
  if (signature === '') return [];
  const route = routeBond(idempotency);
  return route.operation === scope ? [route] : [route, { name: nameOf(`${signature}\n${key}`), operation: scope }];
};

export const REUSED: Refusal = refuse('unauthorized', 'X-Signature was already used on another operation.');

/** Binds the signatures of one tenant's calls to their operations; false where one is another operation's. */
export const bindSignatures = async (tx: Transaction, calls: readonly Call[]): Promise<boolean> => {
  // Two of one second and body have one signature.
  const operations = new Map(
    calls.flatMap(({ idempotency }) =>
      idempotency ? bondsOf(idempotency).map(({ name, operation }) => [name, operation] as const) : [],
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
  (await bindSignatures(tx, [call])) ? null : REUSED;

/** Whether a signature is another route's. */
export const isReused = async (sql: Sql, { store, environment }: Tenant, bond: Bond): Promise<boolean> => {
  const [found] = await sql<{ operation: string }[]>`
    select operation from runtime.signature
    where store = ${store} and environment = ${environment} and signature = decode(${bond.name}, 'hex')`;
  return found !== undefined && found.operation !== bond.operation;
};

/** Deletes what is over; returns how many, at most a bounded batch. */
export const sweepSignatures = async (postgres: Postgres, realMs: number): Promise<number> => {
  const gone = await postgres.sql`
    delete from runtime.signature where ctid in (
      select ctid from runtime.signature where expires_at < ${new Date(realMs)} limit ${SWEEP_MAX}
    )`;
  return gone.count;
};
