// Creates the demo stores and their operator on the first start, fills them through the public API, and writes their
// keys to STOA_HOME/demo.json.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GetStoreResponse, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateStoreRequest } from '#proto/gen/store_admin.ts';
import { type Admin, withAdmin } from './admin.ts';
import { Client } from './demo/client.ts';
import { seedMarketplace } from './demo/marketplace.ts';
import { relocatePictures } from './demo/relocation.ts';
import { DEMO_STORE } from './demo/retail.ts';
import { type DemoAccess, seedDemo } from './demo/seed.ts';
import { type DemoStaff, employDemoStaff, newDemoStaff } from './demo/staff.ts';
import { seedTrade } from './demo/trade/seed.ts';
import { TRADE_STORE } from './demo/trade/store.ts';
import { readText, writePrivate } from './local/home.ts';
import type { Running } from './running.ts';
import { createStore, type DemoFile, demoFile, readDemo, type StoreAccess } from './store_access.ts';

/** Milliseconds for which a failing call is retried; on a busy machine calls may take long. */
const RETRY_MS_MAX = 60_000;
const RETRY_PAUSE_MS = 500;

/** Retries until the work succeeds. If the creation of a store timed out, an empty store without known keys remains. */
const retry = async <T>(stopping: () => boolean, work: () => Promise<T>): Promise<T> => {
  for (const until = performance.now() + RETRY_MS_MAX; ; await Bun.sleep(RETRY_PAUSE_MS)) {
    try {
      return await work();
    } catch (fault) {
      if (stopping() || performance.now() > until) throw fault;
    }
  }
};

export const DEMO_PICTURES = fileURLToPath(new URL('./demo/picture', import.meta.url));

export interface DemoOptions {
  readonly home: string;
  readonly running: Running;
  readonly say: (text: string) => void;
  readonly foreign: boolean;
  readonly stopping: () => boolean;
}

const OPERATOR = 'Soko Moja';
const SHOP_STAFF = 'demo@jua-udongo.example';
const WHOLESALE_STAFF = 'wholesale@jua-udongo.example';
const MARKETPLACE_STAFF = 'marketplace@soko-moja.example';
const SEEDED_WEBSITE = 'https://jua-udongo.example';

const markerFile = (home: string, name: string) => {
  const file = join(home, name);
  return {
    set: () => writeFileSync(file, ''),
    isSet: () => readText(file) !== null,
    clear: () => rmSync(file),
  };
};

const markerFiles = (home: string) => ({
  shop: markerFile(home, 'demo.unfinished'),
  wholesale: markerFile(home, 'demo.wholesale.unfinished'),
  marketplace: markerFile(home, 'demo.marketplace.unfinished'),
  staff: markerFile(home, 'demo.staff.unfinished'),
  /** Pictures may have the shop's former address. */
  pictures: markerFile(home, 'demo.unmoved'),
});
type MarkerFiles = ReturnType<typeof markerFiles>;

export const prepareDemo = async ({ home, running, say, foreign, stopping }: DemoOptions): Promise<void> => {
  const known = readDemo(home);
  const markers = markerFiles(home);
  const usable = known !== null && (await retry(stopping, () => isOurs(running.base_url, known)));
  if (!usable && foreign) {
    say('The database was filled elsewhere. No demo store is created in it.');
    return;
  }
  if (usable && known.base_url !== running.base_url) markers.pictures.set();
  const made = usable ? { ...known, base_url: running.base_url } : { base_url: running.base_url };
  const demo = await createMissing(made, markers, home, <T>(work: (admin: Admin) => Promise<T>) =>
    retry(stopping, () => withAdmin(running.link, work)),
  );
  try {
    await fill(demo, markers, say, <T>(work: (admin: Admin) => Promise<T>) => withAdmin(running.link, work));
  } catch (fault) {
    say(`The demo store is incomplete; the next start continues: ${(fault as Error).message}`);
  }
};

type Ask = <T>(work: (admin: Admin) => Promise<T>) => Promise<T>;

const createMissing = async (
  known: Partial<DemoFile> & Pick<DemoFile, 'base_url'>,
  markers: MarkerFiles,
  home: string,
  ask: Ask,
): Promise<DemoFile> => {
  const { base_url } = known;
  const keep = <D extends object>(demo: D): D => {
    writePrivate(demoFile(home), `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  };
  const make = (request: CreateStoreRequest, mark: MarkerFiles[keyof MarkerFiles]): Promise<StoreAccess> => {
    mark.set();
    return ask((admin) => createStore(admin, base_url, request));
  };
  const shop = keep(isStore(known) ? known : { ...known, ...(await make(DEMO_STORE, markers.shop)) });
  if (isDemo(shop)) return withStaff(shop, markers, keep);
  const { base_url: _, ...wholesale } = await make(TRADE_STORE, markers.wholesale);
  const stores = [shop.store_id, wholesale.store_id];
  markers.marketplace.set();
  const { operator_id, operator_key, operator_test_key } = await ask((admin) =>
    admin.call('CreateOperator', { name: OPERATOR, stores }),
  );
  return withStaff({ ...shop, operator_id, operator_key, operator_test_key, wholesale }, markers, keep);
};

const withStaff = (demo: DemoFile, markers: MarkerFiles, keep: (demo: DemoFile) => DemoFile): DemoFile => {
  const { wholesale, marketplace = {} } = demo;
  if ([demo, wholesale, marketplace].every(hasStaff)) return keep(demo);
  markers.staff.set();
  return keep({
    ...employed(demo, SHOP_STAFF),
    wholesale: employed(wholesale, WHOLESALE_STAFF),
    marketplace: employed(marketplace, MARKETPLACE_STAFF),
  });
};

const employed = <D extends Partial<DemoStaff>>(demo: D, email: string): D & DemoStaff =>
  hasStaff(demo) ? demo : { ...demo, ...newDemoStaff(email) };

const hasStaff = <D extends Partial<DemoStaff>>(demo: D): demo is D & DemoStaff => demo.staff_password !== undefined;
const isStore = (demo: Partial<StoreAccess>): demo is StoreAccess => demo.store_id !== undefined;
/** False for a home from before there was a wholesale store, which is then completed. */
const isDemo = (demo: StoreAccess & Partial<DemoFile>): demo is DemoFile => demo.wholesale !== undefined;

const fill = async (demo: DemoFile, markers: MarkerFiles, say: DemoOptions['say'], ask: Ask): Promise<void> => {
  const shop = accessOf(demo.base_url, demo);
  const wholesale = accessOf(demo.base_url, demo.wholesale);
  if (markers.shop.isSet() || markers.wholesale.isSet()) say('Filling the demo store.');
  if (markers.staff.isSet()) {
    const employers: [string, Partial<DemoStaff>][] = [
      [demo.store_id, demo],
      [demo.wholesale.store_id, demo.wholesale],
      [demo.operator_id, demo.marketplace ?? {}],
    ];
    for (const [employer, account] of employers)
      if (hasStaff(account)) await ask((admin) => employDemoStaff(admin, demo.base_url, employer, account));
    markers.staff.clear();
  }
  if (markers.shop.isSet()) {
    await seedDemo(shop);
    await nameWebsite(shop);
    markers.shop.clear();
  }
  if (markers.wholesale.isSet()) {
    await seedTrade(wholesale);
    markers.wholesale.clear();
  }
  if (markers.marketplace.isSet()) {
    const stores = [demo.store_id, demo.wholesale.store_id] as const;
    await seedMarketplace({ baseUrl: demo.base_url, operatorTestKey: demo.operator_test_key, stores });
    markers.marketplace.clear();
  }
  if (markers.pictures.isSet()) {
    for (const each of [shop, wholesale]) await relocatePictures(each);
    await nameWebsite(shop);
    markers.pictures.clear();
  }
};

const WEBSITE = /^https?:\/\/[^/]+\/shop$/;

/**
 * Sets the demo's website to its page on this system, so that links open that page. Keeps a website that a merchant has
 * set.
 */
const nameWebsite = async ({ baseUrl, secretKey }: DemoAccess): Promise<void> => {
  const api = new Client(baseUrl, secretKey);
  const { website_url } = (await api.get<GetStoreResponse>('/v1/store')).store;
  const isOwn = website_url === SEEDED_WEBSITE || WEBSITE.test(website_url ?? '');
  if (isOwn) await api.patch('/v1/store', { website_url: `${baseUrl}/shop` } satisfies UpdateStoreRequest);
};

const accessOf = (baseUrl: string, keys: Omit<StoreAccess, 'base_url'>): DemoAccess => ({
  baseUrl,
  secretKey: keys.secret_key,
  secretTestKey: keys.secret_test_key,
  hmacTestSecret: keys.hmac_test_secret,
});

/** Checks that the key in the file is valid, because the home may have another database now. */
const isOurs = async (baseUrl: string, { secret_key }: StoreAccess): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/v1/store`, {
    headers: { authorization: `Bearer ${secret_key}` },
    signal: AbortSignal.timeout(5000),
  });
  return answer.status !== 401;
};
