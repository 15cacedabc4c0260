// Finds a sandbox's URL and keys: from options, from the environment, or the demo store of this home.

import { accessEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { readRunning } from './running.ts';
import { readDemo } from './store_access.ts';

export interface SandboxAccess {
  readonly baseUrl: string;
  readonly key: string;
  /** Null if the secret is unknown; requests then cannot be signed. */
  readonly hmacSecret: string | null;
}

export const SANDBOX_OPTIONS = {
  key: {
    type: 'string',
    description: "A secret test key; by default STOA_SECRET_KEY, then the demo store's",
    valueHint: 'svc_sk_test_…',
  },
  url: {
    type: 'string',
    description: 'Stoa’s address; by default STOA_BASE_URL, then the system of this home',
    valueHint: 'http://127.0.0.1:8080',
  },
} as const;

interface Given {
  readonly key?: string | undefined;
  readonly url?: string | undefined;
  readonly wholesale?: boolean;
}

export const sandboxAccess = (given: Given): SandboxAccess => {
  const home = homePath();
  const environment = accessEnvironment();
  const demo = readDemo(home);
  const stores = [demo, demo?.wholesale];
  const key = given.key || environment.secretKey || stores[given.wholesale ? 1 : 0]?.secret_test_key;
  const baseUrl = given.url || environment.baseUrl || readRunning(home)?.base_url || demo?.base_url;
  if (!key) throw new SetupError('The sandbox’s key is missing. Set a secret test key with --key or STOA_SECRET_KEY.');
  if (!key.startsWith('svc_sk_test_'))
    throw new SetupError('This command works in a sandbox only. Set a secret test key (svc_sk_test_…).');
  if (!baseUrl) throw new SetupError('Stoa’s address is missing. Set it with --url or STOA_BASE_URL.');
  const known = stores.find((store) => store?.secret_test_key === key);
  const hmacSecret = environment.hmacSecret || (known?.hmac_test_secret ?? null);
  return { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), key, hmacSecret };
};
