// Runs the real generator on a small proto folder, for the generator's tests.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from '#proto/generate/buf.ts';

export interface Fixture {
  /** Faults of the proto files; null when all were generated. */
  readonly mistake: string | null;
  readonly pathOf: (name: string) => string;
  readonly read: (name: string) => string;
  readonly load: (name: string) => Promise<Record<string, unknown>>;
  readonly remove: () => void;
}

const house = fileURLToPath(new URL('../..', import.meta.url));

const HEAD = `
syntax = "proto3";
package stoa.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/protobuf/struct.proto";
import "options.proto";
`;

/** Generates from proto files given as `{ shop: 'service …' }`. */
export const fixtureOf = (files: Readonly<Record<string, string>>): Fixture => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-fixture-'));
  const proto = join(folder, 'proto');
  mkdirSync(join(proto, 'stoa/v1'), { recursive: true });
  for (const shared of ['options.proto', 'buf.yaml', 'buf', 'google']) {
    cpSync(join(house, 'proto', shared), join(proto, shared), { recursive: true });
  }
  for (const module of ['format.ts', 'route.ts']) symlinkSync(join(house, 'proto', module), join(proto, module));
  symlinkSync(join(house, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: { '#proto/*': './proto/*' } }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(proto, `stoa/v1/${name}.proto`), HEAD + text);
  const pathOf = (name: string): string => join(proto, 'gen', name);
  return {
    mistake: generate(proto, join(proto, 'gen')),
    pathOf,
    read: (name) => readFileSync(pathOf(name), 'utf8'),
    load: (name) => import(pathOf(name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
