// Seeds the wholesale demo shop in both environments, with deals in the sandbox.
import { seedCatalogue, seedStore } from '#services/cli/demo/catalogue.ts';
import { Client } from '#services/cli/demo/client.ts';
import type { DemoAccess } from '#services/cli/demo/seed.ts';
import { seedDeals } from './dealing.ts';
import { TRADE_SHOP } from './shop.ts';

export const seedTrade = async ({ baseUrl, secretKey, secretTestKey }: DemoAccess): Promise<void> => {
  const pictures = `${baseUrl}/demo/pictures`;
  const live = new Client(baseUrl, secretKey);
  const sandbox = new Client(baseUrl, secretTestKey);
  await Promise.all([
    seedStore(live, TRADE_SHOP, pictures),
    seedCatalogue(live, TRADE_SHOP, pictures),
    seedCatalogue(sandbox, TRADE_SHOP, pictures).then(() => seedDeals(sandbox)),
  ]);
};
