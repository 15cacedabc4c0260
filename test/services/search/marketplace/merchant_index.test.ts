// Tests the index over merchants against one store's, on a real catalogue that people have judged; and that it is saved.
import { beforeAll, describe, expect, test } from 'vitest';
import { judgementsAreThere, openDealtElectronics, openElectronics, readJudgements } from '#bench/real_catalogue.ts';
import { gainOf, MERCHANTS, requestOf } from '#bench/relevance.ts';
import type { ProductIndex } from '#services/search/engine/product_index.ts';
import { search } from '#services/search/engine/search.ts';
import { openSavedIndexes } from '#services/search/index_storage.ts';
import { MerchantIndex } from '#services/search/marketplace/merchant_index.ts';
import { TrainedVectors } from '#services/search/semantic/trained.ts';
import { openSource } from '#services/search/source.ts';
import { hasIcecat } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { openMarket, sell } from './market.ts';

test.skipIf(!hasIcecat() || !judgementsAreThere())(
  'a catalogue that is dealt out to two hundred merchants is searched as well as one store’s',
  async () => {
    const judgements = readJudgements();
    const [{ index: whole }, dealt] = [await openElectronics(), await openDealtElectronics(MERCHANTS)];
    expect(dealt.size).toBe(whole.size);
    for (const mode of ['hybrid', 'text', 'semantic'] as const) {
      const gain = (index: ProductIndex): number =>
        gainOf(judgements, (text) => search(index, requestOf(text, mode)).hits.map(({ id }) => id)).ndcg_10;
      const [one, many] = [gain(whole), gain(dealt)];
      expect(one, mode).toBeGreaterThan(0.3);
      expect(Math.abs(many - one), `${mode}: ${one} and ${many}`).toBeLessThan(0.01);
    }
  },
);

describe('an index that was saved', () => {
  let stoa: Stoa;
  beforeAll(async () => {
    stoa = await sharedStoa();
  });

  const openShop = (name: string, currency = 'USD'): Promise<Keys> =>
    stoa.createStore({ name, currency, plan: 'enterprise' });

  /** Loads an index as a new process would. `asked` lists the stores whose products were read. */
  const load = async (operator: string, shops: readonly Keys[], saves = true) => {
    const { runtime } = stoa.services;
    const source = openSource(runtime);
    const asked = new Set<string>();
    const index = new MerchantIndex(
      { store: operator, environment: 'production' },
      {
        source: {
          ...source,
          changed: (tenant, ...request) => {
            asked.add(tenant.store);
            return source.changed(tenant, ...request);
          },
        },
        saved: { ...openSavedIndexes(runtime.postgres), ...(!saves && { read: async () => null }) },
        openVectorSource: (each) => new TrainedVectors(each, runtime.log),
      },
      shops.map(({ store_id }) => ({ store_id, name: 'Shop', currency: 'USD', language: 'en' })),
    );
    await index.load();
    return { index, asked };
  };

  const shown = ({ index }: MerchantIndex) =>
    ['lamp', 'chair', ''].map((text) => {
      const request = { ...requestOf(text, 'text'), limit: 100, facets: ['brand'] };
      const { hits, total, facets } = search(index, request);
      return [hits, total, facets];
    });

  test('reads only what has changed since, and finds the same as a new one', async () => {
    const shops = [
      await openShop('Still'),
      await openShop('Changed'),
      await openShop('Left'),
      await openShop('Joined'),
    ];
    const [still, changed, left, joined] = shops as [Keys, Keys, Keys, Keys];
    const ids = await Promise.all(
      shops.map((shop, at) =>
        sell(stoa, shop, [
          { name: `Lamp ${at}`, brand: 'Acme' },
          { name: `Chair ${at}`, brand: 'Umoja' },
        ]),
      ),
    );
    const { operator_id: operator } = await openMarket(stoa, [still, changed, left]);
    const first = await load(operator, [still, changed, left]);
    expect(first.asked.size).toBe(3);
    await first.index.save();
    const unchanged = await load(operator, [still, changed, left]);
    expect([...unchanged.asked]).toEqual([]);
    expect(shown(unchanged.index)).toEqual(shown(first.index));

    const { secret_key: key } = changed;
    await sell(stoa, changed, [{ name: 'Lamp that came', brand: 'New' }]);
    expect((await stoa.send('DELETE', `/v1/products/${ids[1]![0]}`, { key })).status).toBe(200);
    await eventually(async () => {
      const [later, fresh] = [
        await load(operator, [still, changed, joined]),
        await load(operator, [still, changed, joined], false),
      ];
      expect([...later.asked].toSorted()).toEqual([changed.store_id, joined.store_id].toSorted());
      expect(later.index.index.size).toBe(6);
      expect(shown(later.index)).toEqual(shown(fresh.index));
    });
  });
});
