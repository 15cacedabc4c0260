// Answers what a shopper may want: by what sessions met together where that is known, by likeness and by the week's
// favourites where it is not.
import type { RecommendResponse } from '#proto/gen/recommendation.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RecommendationNeighbours } from './neighbour.ts';
import { blended, fromCompanions, fromSimilar, fromTrending, type Suggestion } from './ranking.ts';
import type { Recorder } from './recorder.ts';
import { WANTED } from './sighting.ts';
import type { Standings } from './standing.ts';
import { companions, lastMet, trending } from './table/sighting.ts';

export interface RecommendationRequest {
  readonly intent: 'next_likely' | 'similar' | 'trending';
  readonly product: string | null;
  readonly session: Uint8Array | null;
  readonly customer: string | null;
  readonly limit: number;
}

export interface Recommender {
  recommend(call: Call, wish: RecommendationRequest): Promise<RecommendResponse>;
}

const WEEK_MS = 7 * 86_400_000;
/** What a session met last says what it is after. */
const ANCHORS_MAX = 10;
/** What it has is not recommended again. */
const MET_MAX = 200;
/** More than are shown: some may be hidden by now. */
const SPARE = 20;

interface Shopper {
  /** The products to go by, the last one first. */
  readonly anchors: readonly string[];
  readonly has: readonly string[];
}

export const openRecommender = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  neighbours: RecommendationNeighbours,
  standings: Standings,
  recorder: Recorder,
): Recommender => {
  const { sql } = postgres;

  const shopperOf = async (
    { tenant }: Call,
    { product, session, customer }: RecommendationRequest,
  ): Promise<Shopper> => {
    const since = standings.since(tenant);
    const ofSession = session ? await lastMet(sql, tenant, { session }, since, MET_MAX) : [];
    const met =
      ofSession.length > 0 || customer === null ? ofSession : await lastMet(sql, tenant, { customer }, since, MET_MAX);
    const has = met.filter(({ deeds }) => (deeds & WANTED) !== 0).map((each) => each.product);
    if (product !== null) return { anchors: [product], has };
    return { anchors: met.slice(0, ANCHORS_MAX).map((each) => each.product), has };
  };

  const similar = async (call: Call, { anchors }: Shopper, limit: number): Promise<Suggestion[]> => {
    const [last] = anchors;
    return last === undefined ? [] : fromSimilar(await neighbours.similar(call, last, limit));
  };

  const favourites = async ({ tenant }: Call): Promise<Suggestion[]> =>
    fromTrending(await trending(sql, tenant, new Date(clock.now(tenant).getTime() - WEEK_MS)));

  /** The shop window, where no shopper did anything yet. */
  const shown = async (call: Call, limit: number): Promise<Suggestion[]> =>
    (await neighbours.shown(call, Math.min(100, limit))).map(({ id }) => ({
      product: id,
      score: 0,
      reason: 'trending',
    }));

  /** No notice tells of the end of a product that was hidden before: a read that meets it clears it away. */
  const forget = ({ tenant }: Call, ids: readonly string[]): void => {
    void standings
      .forget(tenant, ids)
      .catch((problem) => log.warn({ err: problem }, 'what is known of deleted products was not forgotten'));
  };

  /** Asks on, source by source, until there are enough that are for sale. */
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
      const suggestions = blended(lists, excluded).slice(0, limit + MET_MAX);
      const ids = suggestions.map(({ product }) => product);
      const products = await neighbours.products(call, ids);
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
    recommend: async (call, wish) => {
      const { tenant } = call;
      // What this process was told of is known.
      await recorder.settle();
      const shopper = await shopperOf(call, wish);
      const excluded = new Set([...shopper.anchors, ...shopper.has]);
      const likeness = () => similar(call, shopper, wish.limit + excluded.size + SPARE);
      const window = () => shown(call, wish.limit + excluded.size);
      if (wish.intent === 'similar') {
        const recommendations = await filled(call, wish, new Set(shopper.anchors), [likeness]);
        return { recommendations, status: 'available' };
      }
      if (wish.intent === 'trending') {
        const met = await favourites(call);
        const nothing = new Set(wish.product === null ? [] : [wish.product]);
        const recommendations = await filled(call, wish, nothing, [async () => met, window]);
        return { recommendations, status: met.length > 0 ? 'available' : 'awaiting_data' };
      }
      const available = await standings.available(tenant);
      const together = async () =>
        available && shopper.anchors.length > 0
          ? fromCompanions(await companions(sql, tenant, shopper.anchors, standings.since(tenant)))
          : [];
      const recommendations = await filled(call, wish, excluded, [together, likeness, () => favourites(call), window]);
      return { recommendations, status: available ? 'available' : 'awaiting_data' };
    },
  };
};
