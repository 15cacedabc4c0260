// The merchants of the operator, by id: screens name them, and choose among them.
import { type LoadedRecord, useRecord } from '#edge/pages/dashboard/page.ts';
import type { DashboardApi, MarketplaceMerchant } from '#proto/client/dashboard.ts';

const PAGE = 100;

export const readMerchants = async (api: DashboardApi): Promise<readonly MarketplaceMerchant[]> => {
  const all: MarketplaceMerchant[] = [];
  for await (const merchant of api.marketplace.merchants.list({ limit: PAGE })) all.push(merchant);
  return all;
};

export const useMerchants = (): LoadedRecord<readonly MarketplaceMerchant[]> => useRecord(readMerchants, []);

/** A store that has left is named by its id. */
export const merchantName = (merchants: readonly MarketplaceMerchant[] | null, store: string): string =>
  merchants?.find(({ store_id }) => store_id === store)?.name ?? `Store ${store.slice(0, 8)}`;
