// `stoa shop …`: creates a storefront project.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { define, JSON_OPTION, print } from './command.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { type ShopTarget, writeShop } from './shop/project.ts';
import { demoFile } from './store_access.ts';

const KEY = /^svc_pk_/;

const demoTarget = (): ShopTarget | null => {
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(demoFile(homePath()), 'utf8'));
    const names = ['base_url', 'publishable_test_key', 'code', 'secret_test_key', 'hmac_test_secret'] as const;
    const [url, key, code, secret, hmacSecret] = names.map((name) => {
      const text = read[name];
      return typeof text === 'string' ? text : '';
    });
    if (!url || !key || !code) return null;
    return { url, key, code, secrets: secret && hmacSecret ? { key: secret, hmacSecret } : null };
  } catch {
    return null;
  }
};

/** Returns the demo's secrets only if the key is the demo's. */
const secretsOf = (
  demo: ShopTarget | null,
  given: Readonly<Record<'key' | 'secret' | 'hmacSecret', string | undefined>>,
) => {
  const { key, secret, hmacSecret } = given;
  if (secret && hmacSecret) return { key: secret, hmacSecret };
  return key === undefined || key === demo?.key ? (demo?.secrets ?? null) : null;
};

const create = define({
  name: 'new',
  description:
    'Writes a storefront project: the demo shop’s screens and server as source, the client, tests and a Dockerfile',
  args: {
    folder: { type: 'positional', description: 'A folder that does not exist yet', required: true },
    url: { type: 'string', description: 'The API’s address; the demo’s by default' },
    key: { type: 'string', description: 'A publishable key; the demo’s by default' },
    code: { type: 'string', description: 'The store’s code; the demo’s by default' },
    'secret-key': { type: 'string', description: 'A secret key for the shop’s own server: sign-in, orders, payments' },
    'hmac-secret': { type: 'string', description: 'The HMAC secret that signs its requests' },
    json: JSON_OPTION,
  },
  run: async ({ folder, url, key, code, 'secret-key': secret, 'hmac-secret': hmacSecret, json }) => {
    const demo = demoTarget();
    const target = {
      url: url ?? demo?.url ?? '',
      key: key ?? demo?.key ?? '',
      code: code ?? demo?.code ?? '',
      secrets: secretsOf(demo, { key, secret, hmacSecret }),
    };
    if (!target.url || !target.key || !target.code)
      throw new SetupError('This home has no demo store. Set --url, --key and --code of your store.');
    if (!KEY.test(target.key))
      throw new SetupError('A storefront requires a publishable key, which starts with svc_pk_.');
    const path = resolve(folder);
    const files = writeShop(path, target);
    print(
      json,
      { folder: path, files },
      () => `${path} is written. Continue with:\n  cd ${folder}\n  npm install\n  npm run dev`,
    );
  },
});

export const shop = defineCommand({
  meta: { name: 'shop', description: 'Creates a storefront project' },
  subCommands: { new: create },
});
