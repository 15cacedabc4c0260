// Finds out how the audit log reads a record as it is: as its domain declares it, else by the endpoint that shows it.
import type { AuditedRpc } from '#proto/audited.ts';
import { AUDITED } from '#proto/gen/auditing.ts';
import { type Call, Refusal, Rendered } from '#runtime/call/call.ts';
import type { Domain, Handler, RecordSource } from '#runtime/domain/rpc.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export type RecordFields = Readonly<Record<string, unknown>>;

export type ReadRecord = (sql: Sql, call: Call, id: string) => Promise<RecordFields | null>;

const decoder = new TextDecoder();

export const fieldsOf = (value: unknown): RecordFields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RecordFields) : null;

export const replyFields = (reply: unknown): RecordFields | null => {
  if (reply instanceof Refusal) return null;
  return fieldsOf(reply instanceof Rendered ? JSON.parse(decoder.decode(reply.body)) : reply);
};

const byDomain =
  (read: Exclude<RecordSource, 'events'>): ReadRecord =>
  async (sql, { tenant }, id) => {
    const record = await read(sql, tenant, id);
    return record && fieldsOf(JSON.parse(JSON.stringify(record)));
  };

/** Only handlers that read Postgres qualify, since memory follows a commit a moment later. */
const byEndpoint = (
  handlers: ReadonlyMap<string, Handler>,
  { reader, param }: Pick<AuditedRpc, 'reader' | 'param'>,
): ReadRecord | null => {
  const handler = reader && handlers.get(reader.rpc);
  if (handler?.kind !== 'query') return null;
  return async (sql, call, id) => {
    const shown = replyFields(await handler.run(sql, call, param === null ? {} : { [param]: id }));
    return shown && (fieldsOf(shown[reader!.envelope]) ?? shown);
  };
};

const readerOf = (
  rpc: AuditedRpc,
  handlers: ReadonlyMap<string, Handler>,
  domains: readonly Domain[],
): ReadRecord | null => {
  if (rpc.makes) return null;
  for (const { records } of domains) {
    const source = records?.[rpc.record];
    if (source !== undefined) return source === 'events' ? null : byDomain(source);
  }
  return byEndpoint(handlers, rpc);
};

export interface RecordKind {
  /** Null: the record is not read, since the write makes it or its events contain the change. */
  readonly read: ReadRecord | null;
  readonly hasPersons: boolean;
}

export const recordKinds = (
  handlers: ReadonlyMap<string, Handler>,
  domains: readonly Domain[],
): ReadonlyMap<string, RecordKind> => {
  const personal = new Set(domains.flatMap(({ personalRecords }) => personalRecords ?? []));
  return new Map(
    [...AUDITED]
      .filter(([name]) => handlers.has(name))
      .map(([name, rpc]) => [name, { read: readerOf(rpc, handlers, domains), hasPersons: personal.has(rpc.record) }]),
  );
};
