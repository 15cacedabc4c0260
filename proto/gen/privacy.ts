// Generated from stoa/v1/privacy.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type CustomerExport = {
  id: string;
  customer_id: string;
  /** `running` until the archive is complete. */
  status: "running" | "complete";
  /** Path at which the archive is read, with the key or session that may export. */
  path: string;
  created_at: string;
  /** When the archive is deleted. */
  expires_at: string;
  /** The customer's records by kind, as their endpoints show them. Absent until the export is complete. */
  archive?: Record<string, unknown>;
};

export type CustomerExportResponse = {
  export: CustomerExport;
};

export type ExportCustomerRequest = {
  id: string;
};

export type GetCustomerExportRequest = {
  id: string;
  export_id: string;
  /** Comma-separated names of the export's fields to return. */
  fields?: string;
};

export type CustomerErasure = {
  /** The customer's id, under which orders and reviews stay. */
  customer_id: string;
  status: "running" | "complete";
  reason: string;
  requested_at: string;
  /** Null until nothing of the person is left. */
  completed_at: string | null;
};

export type CustomerErasureResponse = {
  erasure: CustomerErasure;
};

export type EraseCustomerRequest = {
  id: string;
  /** Why the customer is erased, for the store's records: it stays, so it must not name the person. */
  reason: string;
};

export type GetCustomerErasureRequest = {
  id: string;
  /** Comma-separated names of the erasure's fields to return. */
  fields?: string;
};

/**
 * Exports and erasures of a customer's data. No scope opens these endpoints: they take a full secret key, or an owner of the
 * store in the dashboard; an export also takes the customer's own session.
 * @internal
 */
export interface PrivacyRpcs {
  ExportCustomer: { request: ExportCustomerRequest; response: CustomerExportResponse };
  GetCustomerExport: { request: GetCustomerExportRequest; response: CustomerExportResponse };
  EraseCustomer: { request: EraseCustomerRequest; response: CustomerErasureResponse };
  GetCustomerErasure: { request: GetCustomerErasureRequest; response: CustomerErasureResponse };
}
