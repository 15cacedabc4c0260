// A row of a document before it is read, and what may be wrong with a row or with a whole document.
import type { Currency } from '#values/currency.ts';

export type DocumentFormat = 'json' | 'ndjson' | 'csv' | 'google_xml';

/** A row that cannot be made out, while those around it can. */
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

/** Thrown where the document as a whole is not what its format says: nothing of it may be taken in. */
export class BrokenDocument extends Error {}

/** JSON text that is still to be read, what another format's reader made of a row, or why it could make nothing. */
export type SourceRow = Uint8Array | Readonly<Record<string, unknown>> | BadRow;

export interface DocumentOptions {
  readonly format: DocumentFormat;
  /** Our field to its name in the document. */
  readonly mapping: Readonly<Record<string, string>>;
  /** What prices with a currency beside them have to be in. */
  readonly currency: Currency;
}

/** The text of a document in UTF-8, without a byte-order mark. */
export const documentText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenDocument('The file is not valid UTF-8.');
  }
};
