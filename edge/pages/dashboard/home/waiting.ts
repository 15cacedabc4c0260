// Work that waits for the store's staff, each kind with the filtered screen that shows it.
import type { DashboardApi, WebhookStatistics } from '#proto/client/dashboard.ts';

interface CountedPage {
  readonly count: number;
  readonly isMore: boolean;
}

export interface WaitingKind {
  readonly name: string;
  readonly scope: string;
  /** Path and query of the screen. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly count: (api: DashboardApi) => Promise<CountedPage>;
}

const LIMIT = 100;

interface AnyPage {
  readonly pagination: { readonly has_more: boolean };
}

const counted = async <Page extends AnyPage>(
  page: PromiseLike<Page>,
  items: (page: Page) => readonly unknown[],
): Promise<CountedPage> => {
  const answer = await page;
  return { count: items(answer).length, isMore: answer.pagination.has_more };
};

const isFailing = (statistics: WebhookStatistics | undefined): boolean =>
  statistics !== undefined && statistics.retrying + statistics.dead_lettered > 0;

export const WAITING: readonly WaitingKind[] = [
  {
    name: 'Orders to ship',
    scope: 'orders:read',
    path: 'orders',
    query: { order_status: 'confirmed' },
    count: (api) =>
      counted(api.orders.list({ order_status: 'confirmed', limit: LIMIT, fields: ['id'] }), ({ orders }) => orders),
  },
  {
    name: 'Returns to decide',
    scope: 'returns:read',
    path: 'service',
    query: { kind: 'returns', status: 'requested' },
    count: (api) =>
      counted(api.returns.list({ status: 'requested', limit: LIMIT, fields: ['id'] }), ({ data }) => data),
  },
  {
    name: 'Open disputes',
    scope: 'returns:read',
    path: 'service',
    query: { kind: 'disputes', status: 'open' },
    count: (api) => counted(api.disputes.list({ status: 'open', limit: LIMIT, fields: ['id'] }), ({ data }) => data),
  },
  {
    name: 'Reviews to approve',
    scope: 'reviews:read',
    path: 'service',
    query: { kind: 'reviews', status: 'pending' },
    count: (api) =>
      counted(api.reviews.list({ status: 'pending', limit: LIMIT, fields: ['id'] }), ({ reviews }) => reviews),
  },
  {
    name: 'Unread messages',
    scope: 'messaging:read',
    path: 'service',
    query: { kind: 'messages', unread: 'true' },
    count: (api) =>
      counted(api.messaging.threads.list({ unread: true, limit: LIMIT, fields: ['id'] }), ({ threads }) => threads),
  },
  {
    name: 'Products low in stock',
    scope: 'catalog:read',
    path: 'products',
    query: { stock: 'low' },
    count: (api) =>
      counted(api.products.list({ low_stock: true, limit: LIMIT, fields: ['id'] }), ({ products }) => products),
  },
  {
    name: 'Payments to check',
    scope: 'payments:read',
    path: 'payments',
    query: { needs_review: 'true' },
    count: (api) =>
      counted(api.payments.list({ needs_review: true, limit: LIMIT, fields: ['id'] }), ({ payments }) => payments),
  },
  {
    name: 'Failing webhooks',
    scope: 'webhooks:read',
    path: 'developers/webhooks',
    query: {},
    count: async (api) => {
      const { webhook_endpoints: listed } = await api.webhookEndpoints.list({ fields: ['id'] });
      const endpoints = await Promise.all(
        listed.map(({ id }) => api.webhookEndpoints.get({ id, fields: ['statistics'] })),
      );
      const failing = endpoints.filter(({ webhook_endpoint: { statistics } }) => isFailing(statistics));
      return { count: failing.length, isMore: false };
    },
  },
];
