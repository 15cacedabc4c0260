// The demo stores, one for shoppers and one for businesses, and an operator over both: made once on the first start, filled
// through the public API, their keys left in STOA_HOME/demo.json.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GetStoreResponse, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateStoreRequest } from '#proto/gen/store_admin.ts';
import { type Admin, withAdmin } from './admin.ts';
import { Client } from './demo/client.ts';
import { seedMall } from './demo/mall.ts';
import { relocatePictures } from './demo/relocation.ts';
import { DEMO_STORE } from './demo/retail.ts';
import { type DemoAccess, seedDemo } from './demo/seed.ts';
import { seedTrade } from './demo/trade/seed.ts';
import { TRADE_STORE } from './demo/trade/store.ts';
import { type DemoFile, demoFile, readDemo } from './demo_file.ts';
import { readText, writePrivate } from './local/home.ts';
import type { Running } from './running.ts';
import { createStore, type StoreAccess } from './store_access.ts';

/** What takes a second may take much longer on a machine that is busy with other things. */
const PATIENCE_MS = 60_000;
const REST_MS = 500;

/** Until it is done. A shop whose making was not answered in time is left behind, empty, and its keys are lost. */
const patiently = async <T>(stopping: () => boolean, work: () => Promise<T>): Promise<T> => {
  for (const until = performance.now() + PATIENCE_MS; ; await Bun.sleep(REST_MS)) {
    try {
      return await work();
    } catch (fault) {
      if (stopping() || performance.now() > until) throw fault;
    }
  }
};

/** The folder of the pictures that the demo's products, collections and posts show. */
export const DEMO_PICTURES = fileURLToPath(new URL('./demo/picture', import.meta.url));

export interface DemoOptions {
  readonly home: string;
  readonly running: Running;
  readonly say: (text: string) => void;
  /** The database came out of a backup, or others filled it: it gets no demo store. */
  readonly foreign: boolean;
  /** Whether the system is on its way down: then nothing is tried again. */
  readonly stopping: () => boolean;
}

const OPERATOR = 'Soko Moja';
/** As its profile has it before it is known where the shop is served. */
const SEEDED_WEBSITE = 'https://jua-udongo.example';

/** A file of the home that is there for as long as something is still to be done. */
const openMark = (home: string, name: string) => {
  const file = join(home, name);
  return {
    set: () => writeFileSync(file, ''),
    isSet: () => readText(file) !== null,
    clear: () => rmSync(file),
  };
};

const marksOf = (home: string) => ({
  shop: openMark(home, 'demo.unfinished'),
  wholesale: openMark(home, 'demo.wholesale.unfinished'),
  mall: openMark(home, 'demo.mall.unfinished'),
  /** Pictures may be named where the shops were served before. */
  pictures: openMark(home, 'demo.unmoved'),
});
type Marks = ReturnType<typeof marksOf>;

export const prepareDemo = async ({ home, running, say, foreign, stopping }: DemoOptions): Promise<void> => {
  const known = readDemo(home);
  const marks = marksOf(home);
  const usable = known !== null && (await patiently(stopping, () => isOurs(running.base_url, known)));
  if (!usable && foreign) {
    say('The database was filled elsewhere: no demo store is made in it.');
    return;
  }
  if (usable && known.base_url !== running.base_url) marks.pictures.set();
  const made = usable ? { ...known, base_url: running.base_url } : { base_url: running.base_url };
  const demo = await complete(made, marks, home, <T>(work: (admin: Admin) => Promise<T>) =>
    patiently(stopping, () => withAdmin(running.link, work)),
  );
  try {
    await fill(demo, marks, say);
  } catch (fault) {
    say(`The demo store is not complete, the next start tries again: ${(fault as Error).message}`);
  }
};

type Ask = <T>(work: (admin: Admin) => Promise<T>) => Promise<T>;

/** Makes what is not there yet, and writes down each key as soon as it is known. */
const complete = async (
  known: Partial<DemoFile> & Pick<DemoFile, 'base_url'>,
  marks: Marks,
  home: string,
  ask: Ask,
): Promise<DemoFile> => {
  const { base_url } = known;
  const keep = <D extends object>(demo: D): D => {
    writePrivate(demoFile(home), `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  };
  const make = (request: CreateStoreRequest, mark: Marks[keyof Marks]): Promise<StoreAccess> => {
    mark.set();
    return ask((admin) => createStore(admin, base_url, request));
  };
  const shop = keep(isStore(known) ? known : { ...known, ...(await make(DEMO_STORE, marks.shop)) });
  if (isDemo(shop)) return shop;
  const { base_url: _, ...wholesale } = await make(TRADE_STORE, marks.wholesale);
  const stores = [shop.store_id, wholesale.store_id];
  marks.mall.set();
  const { operator_id, operator_key, operator_test_key } = await ask((admin) =>
    admin.call('CreateOperator', { name: OPERATOR, stores }),
  );
  return keep({ ...shop, operator_id, operator_key, operator_test_key, wholesale });
};

const isStore = (demo: Partial<StoreAccess>): demo is StoreAccess => demo.store_id !== undefined;
/** One of a home that was made before there was a wholesale shop is completed. */
const isDemo = (demo: StoreAccess & Partial<DemoFile>): demo is DemoFile => demo.wholesale !== undefined;

const fill = async (demo: DemoFile, marks: Marks, say: DemoOptions['say']): Promise<void> => {
  const shop = accessOf(demo.base_url, demo);
  const wholesale = accessOf(demo.base_url, demo.wholesale);
  if (marks.shop.isSet() || marks.wholesale.isSet()) say('Filling the demo store.');
  if (marks.shop.isSet()) {
    await seedDemo(shop);
    await nameWebsite(shop);
    marks.shop.clear();
  }
  if (marks.wholesale.isSet()) {
    await seedTrade(wholesale);
    marks.wholesale.clear();
  }
  if (marks.mall.isSet()) {
    const stores = [demo.store_id, demo.wholesale.store_id] as const;
    await seedMall({ baseUrl: demo.base_url, operatorTestKey: demo.operator_test_key, stores });
    marks.mall.clear();
  }
  if (marks.pictures.isSet()) {
    for (const each of [shop, wholesale]) await relocatePictures(each);
    await nameWebsite(shop);
    marks.pictures.clear();
  }
};

const WEBSITE = /^https?:\/\/[^/]+\/shop$/;

/** The demo shop's website is its page here, so that links of mails, feeds and checkouts open it. What a merchant set stays. */
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

/** The database may be another one than when the file was written. */
const isOurs = async (baseUrl: string, { secret_key }: StoreAccess): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/v1/store`, {
    headers: { authorization: `Bearer ${secret_key}` },
    signal: AbortSignal.timeout(5000),
  });
  return answer.status !== 401;
};
