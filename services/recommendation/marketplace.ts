// What a shopper of a marketplace may want: of each of its merchants what that merchant would recommend, as one list.
import type { RecommendRequest, RecommendResponse } from '#proto/gen/recommendation.ts';
import { type Call, notFound, type Refusal, type Tenant } from '#runtime/call/call.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { InnerCall } from '#runtime/host/inner_call.ts';
import type { RecommendationNeighbours } from './neighbour.ts';
import type { Reason } from './ranking.ts';
import type { RecommendationRequest, Recommender } from './recommender.ts';

/** Without what only the merchant's own records tell. */
export type MarketplaceWish = Omit<RecommendationRequest, 'product' | 'customer'> &
  Pick<RecommendRequest, 'product_id' | 'customer_id'>;

export type RecommendOver = (
  call: Call,
  stores: readonly string[],
  wish: MarketplaceWish,
) => Promise<RecommendResponse | Refusal>;

/** Merchants asked at once by one call. */
const ASKED_MAX = 16;

/** Scores are comparable among those of one rank. */
const RANK: Readonly<Record<Reason, number>> = { bought_together: 0, viewed_together: 0, similar: 1, trending: 2 };

type Recommended = RecommendResponse['recommendations'][number];

const byRank = (a: Recommended, b: Recommended): number =>
  RANK[a.reason] - RANK[b.reason] || b.score - a.score || (a.product_id < b.product_id ? -1 : 1);

export const openMarketplaceRecommender =
  (neighbours: RecommendationNeighbours, recommender: Recommender): RecommendOver =>
  async (call, stores, { product_id, customer_id, ...wish }) => {
    const { deadline, requestId, trace } = call;
    const customer = customer_id?.toLowerCase() ?? null;
    const asking = new Semaphore(ASKED_MAX);
    const ofEach = <T>(ask: (member: Call) => Promise<T>): Promise<T[]> =>
      Promise.all(
        stores.map((store) => {
          const tenant: Tenant = { store, environment: call.tenant.environment };
          return asking.run(() => ask(new InnerCall(tenant, deadline, { requestId, trace })));
        }),
      );

    const known = await ofEach(async (member) => ({
      member,
      product: product_id ? ((await neighbours.product(member, product_id))?.id ?? null) : null,
      customer: customer && (await neighbours.customerExists(member.tenant, customer)) ? customer : null,
    }));
    if (product_id && known.every(({ product }) => product === null)) return notFound('product', 'product_id');
    if (customer && known.every((each) => each.customer === null)) return notFound('customer', 'customer_id');
    const answers = await Promise.all(
      known.map(({ member, ...own }) =>
        asking.run(async () => ({ member, answer: await recommender.recommend(member, { ...wish, ...own }) })),
      ),
    );
    return {
      recommendations: answers
        .flatMap(({ member, answer }) =>
          answer.recommendations.map((each) => ({ ...each, merchant_store_id: member.tenant.store })),
        )
        .sort(byRank)
        .slice(0, wish.limit),
      status: answers.some(({ answer }) => answer.status === 'available') ? 'available' : 'awaiting_data',
    };
  };
