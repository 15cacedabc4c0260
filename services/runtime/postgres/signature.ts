// A signature belongs to one operation, that is, one verb and one concrete path, and to the Idempotency-Key that it came with
// first: accepted there, it is refused anywhere else for as long as its timestamp lives. Two requests of one second with
// equal bodies sign alike, so their sender gives one of them another timestamp.

import { type Call, type Idempotency, NO_STORE, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { sha256 } from '#runtime/process/seal.ts';
import type { Postgres, Transaction } from './database.ts';
import type { Sql } from './sql.ts';

/** A timestamp is accepted 5 minutes before and after its time. */
const LIVES_MS = 10 * 60_000;

/** What a call's signature is bound to, and under which name it is looked up. */
export interface Bond {
  readonly name: string;
  readonly operation: string;
}

export const bondOf = ({ signature, scope, key }: Pick<Idempotency, 'signature' | 'scope' | 'key'>): Bond => ({
  name: sha256(signature).toString('hex'),
  operation: `${scope}\n${key}`,
});

export const REUSED: Refusal = refuse('unauthorized', 'X-Signature was already used on another request.', {
  hint: 'Sign each request with a timestamp of its own where two of them have the same body.',
});

/** By name, the operations that some calls' signatures are bound to; null where two of them differ about one. */
export const operationsOf = (calls: readonly Call[]): ReadonlyMap<string, string> | null => {
  const operations = new Map<string, string>();
  for (const { idempotency } of calls) {
    if (!idempotency?.signature) continue;
    const { name, operation } = bondOf(idempotency);
    if ((operations.get(name) ?? operation) !== operation) return null;
    operations.set(name, operation);
  }
  return operations;
};

/** What binds them within a statement: a row each, with the operation that the signature belongs to. */
export const binding = (
  { sql, clock }: Pick<Transaction, 'sql' | 'clock'>,
  { store, environment }: Tenant,
  operations: ReadonlyMap<string, string>,
  condition = sql`true`,
) => sql`
  insert into runtime.signature as seen (store, environment, signature, operation, expires_at)
  select ${store || NO_STORE}, ${environment}, decode(signature, 'hex'), operation, ${new Date(clock.real() + LIVES_MS)}
  from unnest(${[...operations.keys()]}::text[], ${[...operations.values()]}::text[]) as made (signature, operation)
  where ${condition}
  order by signature
  on conflict (store, environment, signature) do update set operation = seen.operation
  returning encode(signature, 'hex') as signature, operation`;

/** Binds the call's signature to its operation, or refuses it as another operation's. */
export const bindSignature = async (tx: Transaction, call: Call): Promise<Refusal | null> => {
  const operations = operationsOf([call])!;
  if (operations.size === 0) return null;
  const bound = await tx.sql<{ signature: string; operation: string }[]>`${binding(tx, call.tenant, operations)}`;
  return bound.every(({ signature, operation }) => operations.get(signature) === operation) ? null : REUSED;
};

/** Whether a signature is another operation's. */
export const isReused = async (sql: Sql, { store, environment }: Tenant, bond: Bond): Promise<boolean> => {
  const [found] = await sql<{ operation: string }[]>`
    select operation from runtime.signature
    where store = ${store} and environment = ${environment} and signature = decode(${bond.name}, 'hex')`;
  return found !== undefined && found.operation !== bond.operation;
};

/** Deletes what is over; returns how many. */
export const sweepSignatures = ({ sql }: Postgres, realMs: number): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from runtime.signature where ctid in (
        select ctid from runtime.signature where expires_at < ${new Date(realMs)} limit ${limit}
      )`;
    return gone.count;
  });
