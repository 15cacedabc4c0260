// A document's row before parsing, and the errors of one row or of the whole document.
import type { Currency } from '#values/currency.ts';

export type DocumentFormat = 'json' | 'ndjson' | 'csv' | 'google_xml';

export class BadRow {
  readonly message: string;
  readonly param: string | null;
  readonly externalId: string | null;

  constructor(message: string, param: string | null = null, externalId: string | null = null) {
    this.message = message;
    this.param = param;
    this.externalId = externalId;
  }
}

/** The document violates its format, so none of its rows may be written. */
export class BrokenDocument extends Error {}

export type SourceRow = Uint8Array | Readonly<Record<string, unknown>> | BadRow;

export interface DocumentOptions {
  readonly format: DocumentFormat;
  /** Maps Stoa's field names to the document's. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The only currency in which the document may state prices. */
  readonly currency: Currency;
}

export const documentText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenDocument('The file is not valid UTF-8.');
  }
};
