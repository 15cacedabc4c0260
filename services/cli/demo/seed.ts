// Seeds the demo shop and its shoppers' activity through the public API. Keeps existing records, so that an interrupted
// run can be repeated.
import { createHmac } from 'node:crypto';
import { seedAssistants } from './assistant.ts';
import { seedCatalogue, seedStore } from './catalogue.ts';
import { Client } from './client.ts';
import { seedConnections } from './connection.ts';
import { seedConversations } from './conversation.ts';
import { seedFeedback } from './feedback.ts';
import { seedPublications } from './publication.ts';
import { RETAIL_SHOP } from './retail.ts';
import { seedSale } from './sale.ts';
import { DEMO_PASSWORD, type DemoShopper } from './shopper.ts';

export interface DemoAccess {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly secretTestKey: string;
  readonly hmacTestSecret: string;
}

export const seedDemo = async ({ baseUrl, secretKey, secretTestKey, hmacTestSecret }: DemoAccess): Promise<void> => {
  const pictures = `${baseUrl}/demo/pictures`;
  const live = new Client(baseUrl, secretKey);
  const sandbox = new Client(baseUrl, secretTestKey, hmacTestSecret);
  // Derives a password from the store's secret, so that only the store's owner can sign in to these production
  // accounts.
  const livePassword = ({ email }: DemoShopper): string =>
    createHmac('sha256', secretKey).update(email).digest('base64url');
  // The store's languages must exist before records are translated into them.
  await seedStore(live, RETAIL_SHOP, pictures);
  await Promise.all([
    seedCatalogue(live, RETAIL_SHOP, pictures).then(() =>
      seedFeedback(live, { passwordOf: livePassword, complete: false }),
    ),
    seedCatalogue(sandbox, RETAIL_SHOP, pictures).then(() =>
      Promise.all([
        seedSale(sandbox).then(() => seedAssistants(sandbox)),
        seedFeedback(sandbox, { passwordOf: () => DEMO_PASSWORD, complete: true }),
        seedPublications(sandbox, pictures, new Date()),
        seedConnections(sandbox, baseUrl),
      ]),
    ),
    seedConversations(sandbox),
  ]);
};
