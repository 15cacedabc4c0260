// Writes the software bill of materials of this version in CycloneDX 1.6: every package of the lock file with its version,
// content hash, licence and needs. Development tools have the scope `excluded`, packages of other platforms `optional`.
//
// Usage: npm run sbom [-- FILE]   default: .stoa/sbom.cdx.json
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import parse from 'spdx-expression-parse';
import { type Dependency, dependencies } from '#test/support/dependency.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const licences = new Contrib.License.Factories.LicenseFactory(parse);

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const scopeOf = ({ shipped, licence }: Dependency): Enums.ComponentScope => {
  if (!shipped) return Enums.ComponentScope.Excluded;
  return licence === null ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
};

const componentOf = (dependency: Dependency): Models.Component => {
  const { key, name, version, integrity, licence } = dependency;
  const [group, inner] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const component = new Models.Component(Enums.ComponentType.Library, inner!, {
    bomRef: key,
    ...(group === undefined ? {} : { group }),
    version,
    purl: purlOf(name, version),
    scope: scopeOf(dependency),
  });
  const hash = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  component.hashes.set(Enums.HashAlgorithm['SHA-512'], hash);
  if (licence !== null) component.licenses.add(licences.makeFromString(licence));
  return component;
};

/** Returns the bill of materials as JSON. The same lock file gives the same bytes. */
export const billOfMaterials = (all: readonly Dependency[] = dependencies()): string => {
  const {
    name,
    version,
    description,
    dependencies: direct,
  } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    name: string;
    version: string;
    description: string;
    dependencies: Record<string, string>;
  };
  const components = new Map(all.map((dependency) => [dependency.key, componentOf(dependency)]));
  for (const { key, needs } of all)
    for (const need of needs) components.get(key)!.dependencies.add(components.get(need)!.bomRef);
  const stoa = new Models.Component(Enums.ComponentType.Application, name, { bomRef: 'stoa', version, description });
  for (const key of Object.keys(direct)) stoa.dependencies.add(components.get(key)!.bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: stoa }),
    components: new Models.ComponentRepository(components.values()),
  });
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(normalizers).serialize(bom, { sortLists: true, space: 2 })}\n`;
};

if (import.meta.main) {
  const file = process.argv[2] ?? `${ROOT}.stoa/sbom.cdx.json`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, billOfMaterials());
  console.log(`The bill of materials is in ${file}.`);
}
