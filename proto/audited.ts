// The shape of one row of the generated audit table: all that the audit log needs to know of an rpc.

/** An endpoint that reads a record. */
export interface RecordReader {
  /** `Promotion/GetPromotion`. */
  readonly rpc: string;
  readonly envelope: string;
}

export interface AuditedRpc {
  /** `PATCH /v1/products/{id}`; null for an rpc without a path, as commands call it. */
  readonly endpoint: string | null;
  /** `updateProduct`. */
  readonly operation: string;
  /** Kind of record that the call changes: `product`. */
  readonly record: string;
  /** The request field that names the record; null for a record that the call makes, or one without a name. */
  readonly param: string | null;
  /** The response field that holds the record; empty: the response itself. */
  readonly envelope: string;
  /** Whether the call makes the record. */
  readonly makes: boolean;
  /** Null: no endpoint reads one such record. */
  readonly reader: RecordReader | null;
}
