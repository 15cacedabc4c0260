// A storefront project of one's own: the demo shop's screens as source, the packed client, and what Vite needs to build them.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '#proto/client/pack.ts';
import { SetupError } from '#services/cli/local/child.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCREENS = join(ROOT, 'edge/pages/storefront');
/** Both modules are the client's there. */
const CLIENT = /'#proto\/(?:client\/storefront|gen\/client\/message)\.ts'/g;

export interface ShopTarget {
  /** Where the API is. */
  readonly url: string;
  /** Publishable. */
  readonly key: string;
  readonly code: string;
}

/** As this checkout has them, so that the project builds with what the screens were tried with. */
const versionOf = (name: string): string => {
  const read: { version: string } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
  return read.version;
};

/** Of a project that is written. */
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
  include: ['src'],
};

const guideOf = ({ url }: ShopTarget): string => `# A shop on Stoa

    npm install
    npm run dev

The screens lie in \`src\`, a file each; \`public/setting.json\` names the API (\`${url}\`), the store and its publishable key. The
client in \`client\` is documented there. Signing in takes a server of your own: say where it is as \`server\` in the setting, and answer
\`sign-in\`, \`verify\`, \`renew\` and \`orders\` there.
`;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes the project into a folder that is empty or not there yet; the names of its files. */
export const writeShop = (folder: string, target: ShopTarget): readonly string[] => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new SetupError(`${folder} is not empty. Name a folder that is not there yet.`);
  for (const part of ['src', 'public', 'client']) mkdirSync(join(folder, part), { recursive: true });
  const screens = readdirSync(SCREENS).filter((name) => /\.tsx?$/.test(name));
  for (const name of screens) {
    const text = readFileSync(join(SCREENS, name), 'utf8');
    writeFileSync(join(folder, 'src', name), text.replace(CLIENT, "'stoa-client'"));
  }
  copyFileSync(join(SCREENS, 'style.css'), join(folder, 'src', 'style.css'));
  const files: Readonly<Record<string, string>> = {
    'package.json': json(
      packageOf(
        basename(folder)
          .toLowerCase()
          .replace(/[^a-z0-9-]+/g, '-') || 'shop',
      ),
    ),
    'index.html': PAGE,
    'tsconfig.json': json(TYPES),
    'vite.config.js': "export default { oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } };\n",
    'README.md': guideOf(target),
    '.gitignore': 'node_modules\ndist\n',
    'public/setting.json': json(target),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  buildClient(join(folder, 'client'));
  return [...Object.keys(files), ...screens.map((name) => `src/${name}`), 'src/style.css', 'client/'];
};
