// Fills the demo shop through the public REST API, and has its shoppers do what shoppers do: nothing here has a back door.
// What is already there is left alone, so that a run that was cut short is simply run again.
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

/**
 * The store's profile and policies, the whole catalogue in production and in the sandbox, there what shoppers do, and in both
 * what they say of it.
 */
export const seedDemo = async ({ baseUrl, secretKey, secretTestKey, hmacTestSecret }: DemoAccess): Promise<void> => {
  const pictures = `${baseUrl}/demo/pictures`;
  const live = new Client(baseUrl, secretKey);
  const sandbox = new Client(baseUrl, secretTestKey, hmacTestSecret);
  // Accounts of production open to the store's own secret alone.
  const livePassword = ({ email }: DemoShopper): string =>
    createHmac('sha256', secretKey).update(email).digest('base64url');
  await Promise.all([
    seedStore(live, RETAIL_SHOP, pictures),
    seedCatalogue(live, RETAIL_SHOP, pictures).then(() =>
      seedFeedback(live, { passwordOf: livePassword, whole: false }),
    ),
    seedCatalogue(sandbox, RETAIL_SHOP, pictures).then(() =>
      Promise.all([
        seedSale(sandbox).then(() => seedAssistants(sandbox)),
        seedFeedback(sandbox, { passwordOf: () => DEMO_PASSWORD, whole: true }),
        seedPublications(sandbox, pictures, new Date()),
        seedConnections(sandbox, baseUrl),
      ]),
    ),
    seedConversations(sandbox),
  ]);
};
