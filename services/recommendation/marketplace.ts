// Recommends products for a marketplace operator: similar ones over all merchants at once, others by merging the
// recommendations of each merchant.
import type { RecommendRequest, RecommendResponse } from '#proto/gen/recommendation.ts';
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import { type Call, notFound, type Refusal, type Tenant } from '#runtime/call/call.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { InnerCall } from '#runtime/host/inner_call.ts';
import type { RecommendationClients } from './client.ts';
import type { Reason } from './ranking.ts';
import type { RecommendationRequest, Recommender } from './recommender.ts';

export type MarketplaceRequest = Omit<RecommendationRequest, 'product' | 'customer'> &
  Pick<RecommendRequest, 'product_id' | 'customer_id'>;

export type RecommendAcrossMerchants = (
  call: Call,
  merchants: readonly SellingMerchant[],
  request: MarketplaceRequest,
) => Promise<RecommendResponse | Refusal>;

const CONCURRENT_MERCHANTS_MAX = 16;

/** Order of reasons; scores are comparable only between reasons of equal rank. */
const RANK: Readonly<Record<Reason, number>> = { bought_together: 0, viewed_together: 0, similar: 1, trending: 2 };

type Recommended = RecommendResponse['recommendations'][number];

const byRank = (a: Recommended, b: Recommended): number =>
  RANK[a.reason] - RANK[b.reason] || b.score - a.score || (a.product_id < b.product_id ? -1 : 1);

/** Similar products fetched beyond the limit, because some may be gone or inactive. */
const SPARE_PRODUCTS = 20;

/** Recommends products like one of them over all merchants in one order; null if search does not know the product. */
const similarOverMerchants = async (
  clients: RecommendationClients,
  call: Call,
  merchants: readonly SellingMerchant[],
  { product, limit }: { readonly product: string; readonly limit: number },
): Promise<RecommendResponse | null> => {
  const hits = await clients.similarOverMerchants(call, product, limit + SPARE_PRODUCTS);
  if (hits === null) return null;
  const { deadline, requestId, trace } = call;
  const names = new Map(merchants.map(({ store_id, name }) => [store_id, name]));
  const asking = new Semaphore(CONCURRENT_MERCHANTS_MAX);
  const lists = await Promise.all(
    [...Map.groupBy(hits, ({ store_id }) => store_id)].map(([store, some]) => {
      const member = new InnerCall({ store, environment: call.tenant.environment }, deadline, { requestId, trace });
      const ids = some.map(({ product_id }) => product_id);
      return asking.run(() => clients.products(member, ids));
    }),
  );
  const products = new Map(lists.flatMap((list) => [...list]));
  const recommendations = hits.flatMap(({ store_id, product_id, score }): Recommended[] => {
    const [listed, name] = [products.get(product_id), names.get(store_id)];
    if (!listed?.is_active || name === undefined) return [];
    return [
      { product_id, score, reason: 'similar', product: listed, merchant_store_id: store_id, merchant_name: name },
    ];
  });
  return { recommendations: recommendations.slice(0, limit), status: 'available' };
};

export const openMarketplaceRecommender =
  (clients: RecommendationClients, recommender: Recommender): RecommendAcrossMerchants =>
  async (call, merchants, { product_id, customer_id, ...request }) => {
    if (request.intent === 'similar' && product_id && !customer_id) {
      const { limit } = request;
      const similar = await similarOverMerchants(clients, call, merchants, { product: product_id, limit });
      if (similar !== null) return similar;
    }
    const { deadline, requestId, trace } = call;
    const customer = customer_id?.toLowerCase() ?? null;
    const asking = new Semaphore(CONCURRENT_MERCHANTS_MAX);
    const ofEach = <T>(ask: (member: Call, name: string) => Promise<T>): Promise<T[]> =>
      Promise.all(
        merchants.map(({ store_id: store, name }) => {
          const tenant: Tenant = { store, environment: call.tenant.environment };
          return asking.run(() => ask(new InnerCall(tenant, deadline, { requestId, trace }), name));
        }),
      );

    const known = await ofEach(async (member, name) => ({
      member,
      name,
      product: product_id ? ((await clients.product(member, product_id))?.id ?? null) : null,
      customer: customer && (await clients.customerExists(member.tenant, customer)) ? customer : null,
    }));
    if (product_id && known.every(({ product }) => product === null)) return notFound('product', 'product_id');
    if (customer && known.every((each) => each.customer === null)) return notFound('customer', 'customer_id');
    const answers = await Promise.all(
      known.map(({ member, name, ...own }) =>
        asking.run(async () => ({ member, name, answer: await recommender.recommend(member, { ...request, ...own }) })),
      ),
    );
    return {
      recommendations: answers
        .flatMap(({ member, name, answer }) =>
          answer.recommendations.map((each) => ({
            ...each,
            merchant_store_id: member.tenant.store,
            merchant_name: name,
          })),
        )
        .sort(byRank)
        .slice(0, request.limit),
      status: answers.some(({ answer }) => answer.status === 'available') ? 'available' : 'awaiting_data',
    };
  };
