// Reads the packages that the lock file pins, with the licences that their installed manifests state.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Dependency {
  /** Unique among the packages; one name may be installed in several versions. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** Content hash, for example `sha512-…`; empty where the lock file pins no content. */
  readonly integrity: string;
  /** SPDX expression, or the manifest's own words; null for a package of another platform, which is not installed. */
  readonly licence: string | null;
  readonly runsInstallScript: boolean;
  /** Keys of the packages that it needs. */
  readonly needs: readonly string[];
  /** Whether a production system contains it. */
  readonly shipped: boolean;
}

interface LockedManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

type LockedPackage = readonly [resolution: string, source: string, manifest: LockedManifest, integrity?: string];

interface LockFile {
  readonly workspaces: Readonly<Record<string, LockedManifest>>;
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly trustedDependencies?: readonly string[];
}

/** The lock file is JSON with commas before closing brackets; no string in it contains such a pair. */
const readLock = (): LockFile =>
  JSON.parse(readFileSync(`${ROOT}bun.lock`, 'utf8').replace(/,(\s*[}\]])/g, '$1')) as LockFile;

/** Splits `a/@b/c` into the packages `a` and `@b/c`, each installed inside the one before. */
const pathOf = (key: string): string[] => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

interface Manifest {
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

const licenceOf = (key: string): string | null => {
  const file = `${ROOT}${pathOf(key)
    .map((name) => `node_modules/${name}/`)
    .join('')}package.json`;
  if (!existsSync(file)) return null;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return (typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type)) ?? 'none';
};

/** Returns the key of the package that `from` finds under the name: the innermost one on its path. */
const resolve = (packages: LockFile['packages'], from: string, name: string): string | null => {
  const path = from === '' ? [] : pathOf(from);
  for (let depth = path.length; depth >= 0; depth--) {
    const key = [...path.slice(0, depth), name].join('/');
    if (key in packages) return key;
  }
  return null;
};

const needsOf = (packages: LockFile['packages'], from: string, manifest: LockedManifest): string[] =>
  Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).flatMap(
    (name) => resolve(packages, from, name) ?? [],
  );

/** Returns every package of the lock file, for all platforms. */
export const dependencies = (): readonly Dependency[] => {
  const { packages, workspaces } = readLock();
  const needs = new Map(
    Object.entries(packages).map(([key, [, , manifest]]) => [key, needsOf(packages, key, manifest)] as const),
  );
  const shipped = new Set<string>();
  const waiting = needsOf(packages, '', workspaces['']!);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (shipped.has(key)) continue;
    shipped.add(key);
    waiting.push(...(needs.get(key) ?? []));
  }
  return Object.entries(packages).map(([key, [resolution, , manifest, integrity = '']]) => {
    const at = resolution.lastIndexOf('@');
    return {
      key,
      name: resolution.slice(0, at),
      version: resolution.slice(at + 1),
      integrity,
      licence: licenceOf(key),
      runsInstallScript: manifest.hasInstallScript === true,
      needs: needs.get(key) ?? [],
      shipped: shipped.has(key),
    };
  });
};

/** Returns the packages whose install scripts bun runs. */
export const trustedPackages = (): readonly string[] => readLock().trustedDependencies ?? [];
