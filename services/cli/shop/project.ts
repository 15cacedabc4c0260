// Writes a storefront project: the demo shop's screens and server as source, the packed client, Vite's configuration,
// and servers for three hosts.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '#proto/client/pack.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { slugOf } from '#values/slug.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHOP = join(ROOT, 'edge/pages/storefront');
const TEMPLATE = join(ROOT, 'services/cli/shop/template');
const SERVER = '/server';
/** Source, styles, fonts, and the shop's own texts in each language. */
const COPIED = /\.(tsx?|css|woff2)$|^language\/\w+\.json$/;

/** Changes imports of this repository to imports of the client package and paths within the project. */
const asProject = (text: string, name: string): string =>
  text
    .replace(/'#proto\/(?:client\/storefront|gen\/client\/message)\.ts'/g, "'stoa-client'")
    .replace(/'#proto\/client\/server\.ts'/g, "'stoa-client/server'")
    .replace(/'#edge\/pages\/storefront\/([^']+)'/g, (_, target: string) => {
      const way = relative(dirname(name), target);
      return `'${way.startsWith('.') ? way : `./${way}`}'`;
    });

export interface ShopTarget {
  readonly url: string;
  readonly key: string;
  readonly code: string;
  /** Secrets that the project's server needs for sign-in and payments; null if it has no server. */
  readonly secrets: { readonly key: string; readonly hmacSecret: string } | null;
}

/** Returns the version that this checkout uses, with which the screens were tested. */
const versionOf = (name: string): string => {
  const read: { version: string } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
  return read.version;
};

export const SHOP_SCRIPTS = {
  dev: 'vite',
  build: 'vite build && vite build --ssr',
  start: 'node dist/server/node.js',
  test: 'tsc && vitest run',
} as const;

/** Packages that the built server contains, and those that build it. */
const PACKAGES = ['@fontsource-variable/figtree', '@stripe/stripe-js', 'preact', 'preact-render-to-string'] as const;
const TOOLS = ['@types/node', 'typescript', 'vite', 'vitest'] as const;

const versionsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, versionOf(name)]));

const packageOf = (name: string): object => ({
  name,
  private: true,
  type: 'module',
  scripts: SHOP_SCRIPTS,
  dependencies: { ...versionsOf(PACKAGES), 'stoa-client': 'file:client' },
  devDependencies: versionsOf(TOOLS),
});

const TYPES = {
  compilerOptions: {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node', 'vite/client'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    skipLibCheck: true,
  },
  include: ['src', 'host', 'test', 'vite.config.ts'],
};

/** Files of the template, by their name there. */
const WRITTEN: Readonly<Record<string, string>> = {
  'vite.config.ts': 'vite.config.txt',
  'host/shop.ts': 'host_shop.txt',
  'host/node.ts': 'host_node.txt',
  'host/bun.ts': 'host_bun.txt',
  'host/worker.ts': 'host_worker.txt',
  'test/shop.test.ts': 'test_shop.txt',
  Dockerfile: 'dockerfile.txt',
};

const templateFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(WRITTEN).map(([name, from]) => [name, readFileSync(join(TEMPLATE, from), 'utf8')]));

const guideOf = ({ url, secrets }: ShopTarget): string => `# A shop on Stoa

    npm install
    npm run dev

\`npm test\` checks the types and renders pages. \`npm run build\` writes the shop into \`dist\`, \`npm start\` serves it.

- \`src\`: the screens, a file each; \`src/render\` renders them on the server, \`src/back\` makes the calls that need a secret
  key, \`src/style\` has the style sheets, \`src/language\` the shop's own texts.
- \`host\`: the servers for Node, Bun and an edge worker. \`host/shop.ts\` is the shop as a fetch handler.
- \`public/setting.json\`: the API (\`${url}\`), the store and its publishable key.
- \`redirects.csv\`: addresses of an earlier shop, as \`stoa import\` writes them beside the file that it imports.
- \`client\`: the API's client, with its guide.

| Host | Starts with |
|---|---|
| Node | \`npm start\`, with \`PORT\` |
| Bun | \`bun dist/server/bun.js\`, with \`PORT\` |
| Edge worker | \`dist/server/worker.js\` as the module, \`dist/client\` as its static files |
| Container | \`docker build -t shop .\` and \`docker run -p 3000:3000 --env-file .env.local shop\` |

Behind a proxy, set \`SHOP_ORIGIN\` to the shop's own origin, and \`STOA_URL\` if the server reaches the API at another address.

${
  secrets
    ? 'The secrets are in `.env.local`, which stays on this machine.'
    : `Without secrets the shop signs no shopper in and takes payments on the store's own page. For more, write
\`STOA_SECRET_KEY\` and \`STOA_HMAC_SECRET\` into \`.env.local\`, and \`"server": "${SERVER}"\` into \`public/setting.json\`.`
}
`;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const filesOf = (folder: string, kind: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .sort();

const copy = (from: string, to: string, names: readonly string[]): readonly string[] => {
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), asProject(readFileSync(join(from, name), 'utf8'), name));
  }
  return names;
};

const nameOf = (folder: string): string => slugOf(basename(folder)) || 'shop';

const settingOf = ({ url, key, code, secrets }: ShopTarget) => ({ url, key, code, ...(secrets && { server: SERVER }) });

export const writeShop = (folder: string, target: ShopTarget): readonly string[] => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new SetupError(`${folder} is not empty. Name an empty or new folder.`);
  const { secrets } = target;
  const files: Readonly<Record<string, string>> = {
    'package.json': json(packageOf(nameOf(folder))),
    'tsconfig.json': json(TYPES),
    'redirects.csv': 'old_handle,product_slug\n',
    ...templateFiles(),
    'README.md': guideOf(target),
    '.gitignore': 'node_modules\ndist\n.env.local\n',
    '.dockerignore': 'node_modules\ndist\n.env*\n.git\n',
    'public/setting.json': json(settingOf(target)),
    ...(secrets && {
      '.env.local': `STOA_SECRET_KEY=${secrets.key}\nSTOA_HMAC_SECRET=${secrets.hmacSecret}\n`,
    }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, name.startsWith('.env') ? { mode: 0o600 } : {});
  }
  const written = copy(SHOP, join(folder, 'src'), filesOf(SHOP, COPIED)).map((name) => `src/${name}`);
  buildClient(join(folder, 'client'));
  return [...Object.keys(files), ...written, 'client/'];
};
