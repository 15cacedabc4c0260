// Answers recommendations: companions if sessions show any, else similar and trending products.
import type { RecommendResponse } from '#proto/gen/recommendation.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RecommendationAvailability } from './availability.ts';
import type { RecommendationClients } from './client.ts';
import { PURCHASE_INTENT } from './interaction.ts';
import { blended, fromCompanions, fromSimilar, fromTrending, type Suggestion } from './ranking.ts';
import type { Recorder } from './recorder.ts';
import { companions, latestInteractions, trending } from './table/interaction.ts';

export interface RecommendationRequest {
  readonly intent: 'next_likely' | 'similar' | 'trending';
  readonly product: string | null;
  readonly session: Uint8Array | null;
  readonly customer: string | null;
  readonly limit: number;
}

export interface Recommender {
  recommend(call: Call, request: RecommendationRequest): Promise<RecommendResponse>;
}

const WEEK_MS = 7 * 86_400_000;
const LATEST_PRODUCTS_MAX = 10;
const INTERACTIONS_MAX = 200;
/** Number of products fetched beyond the limit, because some may be inactive. */
const SPARE_PRODUCTS = 20;

interface Shopper {
  readonly latestProducts: readonly string[];
  readonly acquired: readonly string[];
}

export const openRecommender = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  clients: RecommendationClients,
  availability: RecommendationAvailability,
  recorder: Recorder,
): Recommender => {
  const { sql } = postgres;

  const shopperOf = async (
    { tenant }: Call,
    { product, session, customer }: RecommendationRequest,
  ): Promise<Shopper> => {
    const since = availability.retainedSince(tenant);
    const inSession = session ? await latestInteractions(sql, tenant, { session }, since, INTERACTIONS_MAX) : [];
    const interactions =
      inSession.length > 0 || customer === null
        ? inSession
        : await latestInteractions(sql, tenant, { customer }, since, INTERACTIONS_MAX);
    const acquired = interactions
      .filter(({ actions }) => (actions & PURCHASE_INTENT) !== 0)
      .map((each) => each.product);
    if (product !== null) return { latestProducts: [product], acquired };
    return { latestProducts: interactions.slice(0, LATEST_PRODUCTS_MAX).map((each) => each.product), acquired };
  };

  const similar = async (call: Call, { latestProducts }: Shopper, limit: number): Promise<Suggestion[]> => {
    const [last] = latestProducts;
    return last === undefined ? [] : fromSimilar(await clients.similar(call, last, limit));
  };

  const trendingSuggestions = async ({ tenant }: Call): Promise<Suggestion[]> =>
    fromTrending(await trending(sql, tenant, new Date(clock.now(tenant).getTime() - WEEK_MS)));

  const featured = async (call: Call, limit: number): Promise<Suggestion[]> =>
    (await clients.featuredProducts(call, Math.min(100, limit))).map(({ id }) => ({
      product: id,
      score: 0,
      reason: 'trending',
    }));

  /** Deletes interactions of products that a read did not find, because deleting an inactive product emits no event. */
  const forget = ({ tenant }: Call, ids: readonly string[]): void => {
    void availability
      .forgetDeleted(tenant, ids)
      .catch((problem) => log.warn({ err: problem }, 'failed to delete interactions of deleted products'));
  };

  const filled = async (
    call: Call,
    { limit }: RecommendationRequest,
    excluded: ReadonlySet<string>,
    sources: readonly (() => Promise<Suggestion[]>)[],
  ): Promise<RecommendResponse['recommendations']> => {
    const lists: Suggestion[][] = [];
    let recommendations: RecommendResponse['recommendations'] = [];
    for (const source of sources) {
      const list = await source();
      if (list.length === 0) continue;
      lists.push(list);
      const suggestions = blended(lists, excluded).slice(0, limit + INTERACTIONS_MAX);
      const ids = suggestions.map(({ product }) => product);
      const products = await clients.products(call, ids);
      if (products.size < ids.length)
        forget(
          call,
          ids.filter((id) => !products.has(id)),
        );
      recommendations = suggestions
        .flatMap(({ product: id, score, reason }) => {
          const product = products.get(id);
          return product?.is_active ? [{ product_id: id, score, reason, product }] : [];
        })
        .slice(0, limit);
      if (recommendations.length === limit) break;
    }
    return recommendations;
  };

  return {
    recommend: async (call, request) => {
      const { tenant } = call;
      await recorder.flush();
      const shopper = await shopperOf(call, request);
      const excluded = new Set([...shopper.latestProducts, ...shopper.acquired]);
      const likeness = () => similar(call, shopper, request.limit + excluded.size + SPARE_PRODUCTS);
      const window = () => featured(call, request.limit + excluded.size);
      if (request.intent === 'similar') {
        const recommendations = await filled(call, request, new Set(shopper.latestProducts), [likeness]);
        return { recommendations, status: 'available' };
      }
      if (request.intent === 'trending') {
        const popular = await trendingSuggestions(call);
        const nothing = new Set(request.product === null ? [] : [request.product]);
        const recommendations = await filled(call, request, nothing, [async () => popular, window]);
        return { recommendations, status: popular.length > 0 ? 'available' : 'awaiting_data' };
      }
      const available = await availability.isAvailable(tenant);
      const together = async () =>
        available && shopper.latestProducts.length > 0
          ? fromCompanions(await companions(sql, tenant, shopper.latestProducts, availability.retainedSince(tenant)))
          : [];
      const recommendations = await filled(call, request, excluded, [
        together,
        likeness,
        () => trendingSuggestions(call),
        window,
      ]);
      return { recommendations, status: available ? 'available' : 'awaiting_data' };
    },
  };
};
