// Writes a storefront project: the demo shop's screens and server as source, the packed client, and Vite's
// configuration.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '#proto/client/pack.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { slugOf } from '#values/slug.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCREENS = join(ROOT, 'edge/pages/storefront');
const SERVER = '/server';

const asClient = (text: string): string =>
  text
    .replace(/'#proto\/(?:client\/storefront|gen\/client\/message)\.ts'/g, "'stoa-client'")
    .replace(/'#proto\/client\/server\.ts'/g, "'stoa-client/server'");

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

export const SHOP_SCRIPTS = { dev: 'vite', build: 'vite build', preview: 'vite preview' } as const;

const packageOf = (name: string): object => ({
  name,
  private: true,
  type: 'module',
  scripts: SHOP_SCRIPTS,
  dependencies: { preact: versionOf('preact'), 'stoa-client': 'file:client' },
  devDependencies: { vite: versionOf('vite') },
});

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/src/style.css">
<script type="module" src="/src/main.tsx"></script>
</head>
<body>
<div id="shop" data-setting="/setting.json"><noscript>The shop needs JavaScript.</noscript></div>
</body>
</html>
`;

const TYPES = {
  compilerOptions: {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    skipLibCheck: true,
  },
  include: ['src', 'server'],
};

const CONFIG = readFileSync(join(ROOT, 'services/cli/shop/vite.config.txt'), 'utf8');

const guideOf = ({ url, secrets }: ShopTarget): string => `# A shop on Stoa

    npm install
    npm run dev

\`npm run build\` writes the page into \`dist\`, \`npm run preview\` serves it.

- \`src\`: the screens, a file each.
- \`public/setting.json\`: the API (\`${url}\`), the store and its publishable key.
- \`server\`: what takes a secret key: signing shoppers in, their orders, beginning a payment. Vite runs it beside the page;
  \`shopServer\` of \`server/middleware.ts\` is a handler for any server of Node's.
- \`client\`: the API's client, with its guide.

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
    writeFileSync(join(to, name), asClient(readFileSync(join(from, name), 'utf8')));
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
    'index.html': PAGE,
    'tsconfig.json': json(TYPES),
    'vite.config.js': CONFIG,
    'README.md': guideOf(target),
    '.gitignore': 'node_modules\ndist\n.env.local\n',
    'public/setting.json': json(settingOf(target)),
    ...(secrets && {
      '.env.local': `STOA_SECRET_KEY=${secrets.key}\nSTOA_HMAC_SECRET=${secrets.hmacSecret}\n`,
    }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, name.startsWith('.env') ? { mode: 0o600 } : {});
  }
  const screens = filesOf(SCREENS, /\.(tsx?|css)$/).filter((name) => !name.startsWith('back'));
  const written = [
    ...copy(SCREENS, join(folder, 'src'), screens).map((name) => `src/${name}`),
    ...copy(join(SCREENS, 'back'), join(folder, 'server'), filesOf(join(SCREENS, 'back'), /\.ts$/)).map(
      (name) => `server/${name}`,
    ),
  ];
  buildClient(join(folder, 'client'));
  return [...Object.keys(files), ...written, 'client/'];
};
