// A row of a document before parsing, and errors of a row or of a whole document.
import type { Currency } from '#values/currency.ts';

export type DocumentFormat = 'json' | 'ndjson' | 'csv' | 'google_xml';

/** An unreadable row among readable ones. */
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

/** The document violates its format; none of it may be written. */
export class BrokenDocument extends Error {}

/** JSON to parse, a parsed row, or the reason why a row is unreadable. */
export type SourceRow = Uint8Array | Readonly<Record<string, unknown>> | BadRow;

export interface DocumentOptions {
  readonly format: DocumentFormat;
  /** Stoa's field to its name in the document. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The currency that prices must be in. */
  readonly currency: Currency;
}

export const documentText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenDocument('The file is not valid UTF-8.');
  }
};
