// Checks responses against ACP's published schemas. These lie outside of the repository; tests that need them are skipped if
// they are missing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { DATA_FOLDER } from './icecat.ts';

const FOLDER = join(DATA_FOLDER, '../protocols/acp-2026-04-17/spec/2026-04-17/json-schema');

export const hasAcpSchemas = existsSync(FOLDER);

type Name = 'agentic_checkout' | 'delegate_payment' | 'feed';

/** Faults of a document by a definition of a schema; empty when it is valid. */
export const acpSchemaErrors = (name: Name, definition: string, document: unknown): string[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats(ajv);
  ajv.addSchema({ ...JSON.parse(readFileSync(join(FOLDER, `schema.${name}.json`), 'utf8')), $id: name });
  // `additionalProperties` of a base would forbid the fields that `allOf` adds to it: the document is checked against the
  // base alone.
  const validate = ajv.compile({ $ref: `${name}#/$defs/${definition}` });
  validate(document);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};
