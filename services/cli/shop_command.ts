// `stoa shop …`: begins a storefront project of one's own.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { define, JSON_OPTION, print } from './command.ts';
import { demoFile } from './demo_store.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { type ShopTarget, writeShop } from './shop/project.ts';

const KEY = /^svc_pk_/;

/** The demo's, where none is named. */
const demoTarget = (): ShopTarget | null => {
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(demoFile(homePath()), 'utf8'));
    const { base_url: url, publishable_test_key: key, code } = read;
    return typeof url === 'string' && typeof key === 'string' && typeof code === 'string' ? { url, key, code } : null;
  } catch {
    return null;
  }
};

const create = define({
  name: 'new',
  description: 'Write a storefront project: the demo shop’s screens as source, the client, and Vite',
  args: {
    folder: { type: 'positional', description: 'A folder that is not there yet', required: true },
    url: { type: 'string', description: 'Where the API is; the demo’s where left out' },
    key: { type: 'string', description: 'A publishable key; the demo’s where left out' },
    code: { type: 'string', description: 'The store’s code; the demo’s where left out' },
    json: JSON_OPTION,
  },
  run: async ({ folder, url, key, code, json }) => {
    const demo = demoTarget();
    const target = { url: url ?? demo?.url ?? '', key: key ?? demo?.key ?? '', code: code ?? demo?.code ?? '' };
    if (!target.url || !target.key || !target.code)
      throw new SetupError('There is no demo store here. Say --url, --key and --code of yours.');
    if (!KEY.test(target.key)) throw new SetupError('A storefront takes a publishable key, which begins with svc_pk_.');
    const path = resolve(folder);
    const files = writeShop(path, target);
    print(
      json,
      { folder: path, files },
      () => `${path} is written. Now:\n  cd ${folder}\n  npm install\n  npm run dev`,
    );
  },
});

export const shop = defineCommand({
  meta: { name: 'shop', description: 'Begin a storefront of your own' },
  subCommands: { new: create },
});
