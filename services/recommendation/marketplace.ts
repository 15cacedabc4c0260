// Recommends products for a marketplace operator: merges the recommendations of each merchant.
import type { RecommendRequest, RecommendResponse } from '#proto/gen/recommendation.ts';
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
  stores: readonly string[],
  request: MarketplaceRequest,
) => Promise<RecommendResponse | Refusal>;

const CONCURRENT_MERCHANTS_MAX = 16;

/** Order of reasons; scores are comparable only between reasons of equal rank. */
const RANK: Readonly<Record<Reason, number>> = { bought_together: 0, viewed_together: 0, similar: 1, trending: 2 };

type Recommended = RecommendResponse['recommendations'][number];

const byRank = (a: Recommended, b: Recommended): number =>
  RANK[a.reason] - RANK[b.reason] || b.score - a.score || (a.product_id < b.product_id ? -1 : 1);

export const openMarketplaceRecommender =
  (clients: RecommendationClients, recommender: Recommender): RecommendAcrossMerchants =>
  async (call, stores, { product_id, customer_id, ...request }) => {
    const { deadline, requestId, trace } = call;
    const customer = customer_id?.toLowerCase() ?? null;
    const asking = new Semaphore(CONCURRENT_MERCHANTS_MAX);
    const ofEach = <T>(ask: (member: Call) => Promise<T>): Promise<T[]> =>
      Promise.all(
        stores.map((store) => {
          const tenant: Tenant = { store, environment: call.tenant.environment };
          return asking.run(() => ask(new InnerCall(tenant, deadline, { requestId, trace })));
        }),
      );

    const known = await ofEach(async (member) => ({
      member,
      product: product_id ? ((await clients.product(member, product_id))?.id ?? null) : null,
      customer: customer && (await clients.customerExists(member.tenant, customer)) ? customer : null,
    }));
    if (product_id && known.every(({ product }) => product === null)) return notFound('product', 'product_id');
    if (customer && known.every((each) => each.customer === null)) return notFound('customer', 'customer_id');
    const answers = await Promise.all(
      known.map(({ member, ...own }) =>
        asking.run(async () => ({ member, answer: await recommender.recommend(member, { ...request, ...own }) })),
      ),
    );
    return {
      recommendations: answers
        .flatMap(({ member, answer }) =>
          answer.recommendations.map((each) => ({ ...each, merchant_store_id: member.tenant.store })),
        )
        .sort(byRank)
        .slice(0, request.limit),
      status: answers.some(({ answer }) => answer.status === 'available') ? 'available' : 'awaiting_data',
    };
  };
