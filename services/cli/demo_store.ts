// The demo store: made once on the first start, filled through the public API, its keys left in STOA_HOME/demo.json.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withAdmin } from './admin.ts';
import { seedDemo } from './demo/seed.ts';
import { DEMO_STORE } from './demo/store.ts';
import { readJson, readText, writePrivate } from './local/home.ts';
import type { Running } from './running.ts';
import { createStore, type StoreAccess } from './store_access.ts';

export const prepareDemo = async (home: string, running: Running, say: (text: string) => void): Promise<void> => {
  const file = join(home, 'demo.json');
  /** There for as long as the shop is not complete. */
  const unfinished = join(home, 'demo.unfinished');
  const known = readJson<StoreAccess>(file);
  const usable = known !== null && (await isOurs(running.base_url, known));
  if (!usable) writeFileSync(unfinished, '');
  const access = usable
    ? { ...known, base_url: running.base_url }
    : await withAdmin(running.link, (admin) => createStore(admin, running.base_url, DEMO_STORE));
  writePrivate(file, `${JSON.stringify(access, null, 2)}\n`);
  if (readText(unfinished) === null) return;
  say('Filling the demo store.');
  try {
    const { base_url, secret_key, secret_test_key } = access;
    await seedDemo({ baseUrl: base_url, secretKey: secret_key, secretTestKey: secret_test_key });
    rmSync(unfinished);
  } catch (fault) {
    say(`The demo store is not complete, the next start tries again: ${(fault as Error).message}`);
  }
};

/** The database may be another one than when the file was written. */
const isOurs = async (baseUrl: string, { secret_key }: StoreAccess): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/v1/store`, {
    headers: { authorization: `Bearer ${secret_key}` },
    signal: AbortSignal.timeout(5000),
  });
  return answer.status !== 401;
};
