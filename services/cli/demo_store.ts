// The demo store: made once on the first start, filled through the public API, its keys left in STOA_HOME/demo.json.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withAdmin } from './admin.ts';
import { relocatePictures } from './demo/relocation.ts';
import { seedDemo } from './demo/seed.ts';
import { DEMO_STORE } from './demo/store.ts';
import { readJson, readText, writePrivate } from './local/home.ts';
import type { Running } from './running.ts';
import { createStore, type StoreAccess } from './store_access.ts';

/** What takes a second may take much longer on a machine that is busy with other things. */
const PATIENCE_MS = 60_000;
const REST_MS = 500;

/** Until it is done. A shop whose making was not answered in time is left behind, empty, and nobody has its keys. */
const patiently = async <T>(stopping: () => boolean, work: () => Promise<T>): Promise<T> => {
  for (const until = performance.now() + PATIENCE_MS; ; await Bun.sleep(REST_MS)) {
    try {
      return await work();
    } catch (fault) {
      if (stopping() || performance.now() > until) throw fault;
    }
  }
};

/** Where its keys are. */
export const demoFile = (home: string): string => join(home, 'demo.json');

export interface DemoOptions {
  readonly home: string;
  readonly running: Running;
  readonly say: (text: string) => void;
  /** The database came out of a backup, or others filled it: it gets no demo store. */
  readonly foreign: boolean;
  /** Whether the system is on its way down: then nothing is tried again. */
  readonly stopping: () => boolean;
}

export const prepareDemo = async ({ home, running, say, foreign, stopping }: DemoOptions): Promise<void> => {
  const file = demoFile(home);
  /** There for as long as the shop is not complete. */
  const unfinished = join(home, 'demo.unfinished');
  const known = readJson<StoreAccess>(file);
  /** There for as long as pictures may be named where the shop was served before. */
  const unmoved = join(home, 'demo.unmoved');
  const usable = known !== null && (await patiently(stopping, () => isOurs(running.base_url, known)));
  if (!usable && foreign) {
    say('The database was filled elsewhere: no demo store is made in it.');
    return;
  }
  if (!usable) writeFileSync(unfinished, '');
  else if (known.base_url !== running.base_url) writeFileSync(unmoved, '');
  const access = usable
    ? { ...known, base_url: running.base_url }
    : await patiently(stopping, () =>
        withAdmin(running.link, (admin) => createStore(admin, running.base_url, DEMO_STORE)),
      );
  writePrivate(file, `${JSON.stringify(access, null, 2)}\n`);
  const { base_url, secret_key, secret_test_key, hmac_test_secret } = access;
  const demo = {
    baseUrl: base_url,
    secretKey: secret_key,
    secretTestKey: secret_test_key,
    hmacTestSecret: hmac_test_secret,
  };
  try {
    if (readText(unfinished) !== null) {
      say('Filling the demo store.');
      await seedDemo(demo);
      rmSync(unfinished);
    }
    if (readText(unmoved) !== null) {
      await relocatePictures(demo);
      rmSync(unmoved);
    }
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
