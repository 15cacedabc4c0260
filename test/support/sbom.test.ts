// The bill of materials names every package that the lock file pins.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import Ajv from 'ajv';
import { expect, it } from 'vitest';
import { billOfMaterials } from '#test/sbom.ts';
import { dependencies } from './dependency.ts';

interface Bom {
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string; readonly scope: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const bom = JSON.parse(billOfMaterials()) as Bom;

const schemas = `${dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'))}/res/schema/`;
const schemaOf = (name: string): object => JSON.parse(readFileSync(`${schemas}${name}`, 'utf8'));

it('conforms to the CycloneDX schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}`);
  const validate = ajv.compile(schemaOf('bom-1.6.SNAPSHOT.schema.json'));
  expect(validate(bom), JSON.stringify(validate.errors)).toBe(true);
});

it('names every package of the lock file once', () => {
  const keys = dependencies().map(({ key }) => key);
  expect(bom.components.map((component) => component['bom-ref']).sort()).toEqual([...keys].sort());
});

it('tells what a production system contains from tools', () => {
  const scopeOf = (key: string) => bom.components.find((component) => component['bom-ref'] === key)?.scope;
  expect(scopeOf('elysia')).toBe('required');
  expect(scopeOf('vitest')).toBe('excluded');
});

it('says what a package needs', () => {
  expect(bom.dependencies.find(({ ref }) => ref === 'stoa')?.dependsOn).toContain('elysia');
  expect(bom.dependencies.find(({ ref }) => ref === 'elysia')?.dependsOn).toContain('cookie');
});

it('repeats the same bytes for the same lock file', () => {
  expect(billOfMaterials()).toBe(billOfMaterials());
});
