// Packs the client as an npm package that needs nothing else: JavaScript modules beside their types.
//
// Usage: npm run client:pack -- [FOLDER]    writes stoa-client-VERSION.tgz there, into dist/ unless said
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = ['storefront', 'slim', 'server', 'dashboard', 'webhook'];
/** Import conditions of server runtimes. Modules for secrets are closed to browsers' bundles. */
const SERVERS = ['node', 'bun', 'deno', 'workerd', 'edge-light'];
const SECRET = ['server', 'webhook'];

const run = (program: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`);
};

const exportsOf = (name: string): object => {
  const [types, code] = [`./client/${name}.d.ts`, `./client/${name}.js`];
  if (!SECRET.includes(name)) return { types, default: code };
  return { types, ...Object.fromEntries(SERVERS.map((runtime) => [runtime, code])), browser: null, default: code };
};

const manifest = (version: string, license: string): object => ({
  name: 'stoa-client',
  version,
  description: 'The typed client of Stoa, a multi-store commerce platform.',
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: Object.fromEntries(MODULES.map((name) => [name === 'storefront' ? '.' : `./${name}`, exportsOf(name)])),
  files: ['client', 'gen'],
});

/** The house's own names for modules become paths, which every runtime knows. */
const withPaths = (text: string, name: string): string =>
  text.replace(/'#proto\/([^']+)'/g, (_, target: string) => {
    const way = relative(dirname(name), target);
    return `'${way.startsWith('.') ? way : `./${way}`}'`;
  });

const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|js)$/.test(name));

/** The client's sources: its own, those that are generated for it, and the types of messages. */
const SOURCES = /^(gen\/)?client\/|^gen\/[a-z_]+\.ts$/;

/** Compiles a copy of the sources, whose modules name each other by path. */
const compile = (folder: string): void => {
  const source = mkdtempSync(join(tmpdir(), 'stoa-client-source-'));
  try {
    for (const name of textsIn(join(ROOT, 'proto')).filter((path) => SOURCES.test(path))) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), withPaths(readFileSync(join(ROOT, 'proto', name), 'utf8'), name));
    }
    const options = {
      extends: join(ROOT, 'proto/client/tsconfig.json'),
      compilerOptions: {
        rootDir: source,
        outDir: folder,
        noEmit: false,
        declaration: true,
        stripInternal: true,
        rewriteRelativeImportExtensions: true,
      },
      files: MODULES.map((name) => `client/${name}.ts`),
    };
    writeFileSync(join(source, 'tsconfig.json'), JSON.stringify(options));
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', source], ROOT);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
};

/** Writes the package's files into a folder. */
export const buildClient = (folder: string): void => {
  compile(folder);
  for (const name of textsIn(folder)) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    // A module of types only has no code to import.
    if (name.endsWith('.js') && /^(\/\/.*\n)*export \{\};\s*$/.test(text)) rmSync(path);
    else writeFileSync(path, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(version!, license!), null, 2)}\n`);
  // Links lead to other guides, which the package has not.
  const guide = readFileSync(join(ROOT, 'edge/pages/guide/client.md'), 'utf8').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  writeFileSync(join(folder, 'README.md'), guide);
};

/** Writes the package into a folder; answers its path. */
export const packClient = (target: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-client-'));
  try {
    buildClient(folder);
    mkdirSync(target, { recursive: true });
    const name = run('npm', ['pack', '--silent', '--pack-destination', resolve(target)], folder).trim();
    return join(resolve(target), name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) console.log(packClient(process.argv[2] ?? join(ROOT, 'dist')));
