// Finds the store of an import or export, and its keys: from options, from the environment, or the demo's sandbox.

import { accessEnvironment } from '#services/cli/environment.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { homePath } from '#services/cli/local/home.ts';
import { readRunning } from '#services/cli/running.ts';
import { readDemo } from '#services/cli/store_access.ts';
import type { ShopAccess } from './shop.ts';

export const SHOP_OPTIONS = {
  key: {
    type: 'string',
    description: "A secret key, live or test; by default STOA_SECRET_KEY, then the demo store's test key",
    valueHint: 'svc_sk_…',
  },
  'hmac-secret': {
    type: 'string',
    description: "The HMAC secret that signs pushed products; by default STOA_HMAC_SECRET, then the demo store's",
    valueHint: 'secret',
  },
  url: {
    type: 'string',
    description: 'Stoa’s address; by default STOA_BASE_URL, then the system of this home',
    valueHint: 'http://127.0.0.1:8080',
  },
} as const;

interface Given {
  readonly key?: string | undefined;
  readonly hmacSecret?: string | undefined;
  readonly url?: string | undefined;
}

export const shopAccess = (given: Given, signs: boolean): ShopAccess => {
  const home = homePath();
  const environment = accessEnvironment();
  const demo = readDemo(home);
  const key = given.key || environment.secretKey || demo?.secret_test_key;
  const baseUrl = given.url || environment.baseUrl || readRunning(home)?.base_url || demo?.base_url;
  if (!key) throw new SetupError('The store’s key is missing. Set its secret key with --key or STOA_SECRET_KEY.');
  if (!key.startsWith('svc_sk_')) throw new SetupError('The key is no secret key. Set one that starts with svc_sk_.');
  if (!baseUrl) throw new SetupError('Stoa’s address is missing. Set it with --url or STOA_BASE_URL.');
  const known = [demo, demo?.wholesale].flatMap((store) => {
    if (key === store?.secret_test_key) return store.hmac_test_secret;
    return store && key === store.secret_key ? store.hmac_secret : [];
  });
  const hmacSecret = given.hmacSecret || environment.hmacSecret || known[0];
  if (!hmacSecret && signs)
    throw new SetupError('Pushed products must be signed. Set the HMAC secret with --hmac-secret or STOA_HMAC_SECRET.');
  const url = baseUrl.replace(/(?<!\/)\/+$/, '');
  const shown = key === demo?.secret_test_key ? `${url}/shop` : null;
  return { baseUrl: url, key, hmacSecret: hmacSecret ?? '', shown };
};
