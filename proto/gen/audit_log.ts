// Generated from stoa/v1/audit_log.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type ListAuditLogRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a record's fields to return. */
  fields?: string;
  /** The `id` of an actor. */
  actor?: string;
  /** A type of records, such as `product`, or one record, such as `product:018f5d0a-7c1e-7000-8000-000000000001`. */
  resource?: string;
  /** Records from this time on. */
  from?: string;
  /** Records before this time. */
  to?: string;
};

/** Author of a write. */
export type AuditActor = {
  /**
   * `key`: a secret key. `staff`: a person in the dashboard. `app`: an access token. `operator_key`: a marketplace operator's
   * key. `command_line`: the command `stoa`. `program`: another caller of the internal gRPC.
   */
  kind: "key" | "staff" | "app" | "operator_key" | "command_line" | "program";
  /** Id of the key or person, of an app's grant, or of the operator's key. */
  id: string | null;
  /** Name of the app, person or key; on the command line the name of the system's user. */
  name: string | null;
};

/** The record that a write changed. */
export type AuditedResource = {
  type: string;
  /** Null for a write that concerns no single record. */
  id: string | null;
};

/** One write: who did what to which record. */
export type AuditRecord = {
  id: string;
  created_at: string;
  environment: "production" | "sandbox";
  actor: AuditActor;
  /** The operation's name in the API reference, or the internal method that a command called. */
  operation: string;
  /** Verb and path; null for a write over gRPC, as commands make it. */
  endpoint: string | null;
  resource: AuditedResource;
  /**
   * Former values of the fields that changed; the whole record where it was deleted. Null: the write made the record, or the
   * former values are not known. Secrets and personal data read `…`.
   */
  before: Record<string, unknown> | null;
  /** New values of the fields that changed; of a new record its fields. Null where the record was deleted. */
  after: Record<string, unknown> | null;
  /** Whether values were cut or left out, since they were long. */
  shortened: boolean;
  /** The client's address; null for a write over gRPC. */
  address: string | null;
  /** `X-Request-Id` of the request. */
  request_id: string | null;
};

export type ListAuditLogResponse = {
  audit_log: readonly AuditRecord[];
  pagination: Pagination;
};

/**
 * The audit log of a store. No key changes or deletes its records; each is stored for 400 days.
 * @internal
 */
export interface AuditLogRpcs {
  ListAuditLog: { request: ListAuditLogRequest; response: ListAuditLogResponse };
}
