// Checks responses against UCP's published schemas. These lie outside of the repository; tests that need them are skipped if
// they are missing.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { DATA_FOLDER } from './icecat.ts';

const FOLDER = join(DATA_FOLDER, '../protocols/ucp-2026-04-08/source');
const BASE = 'https://ucp.dev/schemas/';

export const hasUcpSchemas = existsSync(FOLDER);

const jsonUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return jsonUnder(path);
    return path.endsWith('.json') ? [path] : [];
  });

let known: Ajv2020 | null = null;

const ajv = (): Ajv2020 => {
  if (known) return known;
  known = new Ajv2020({ strict: false, allErrors: true });
  formats(known);
  for (const path of jsonUnder(join(FOLDER, 'schemas'))) {
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    if (schema.$id) known.addSchema(schema);
  }
  return known;
};

/** Faults of a document by a schema such as `shopping/checkout.json`; empty when it is valid. */
export const ucpSchemaErrors = (schema: string, document: unknown): string[] => {
  const validate = ajv().getSchema(`${BASE}${schema}`) ?? ajv().compile({ $ref: `${BASE}${schema}` });
  validate(document);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};
