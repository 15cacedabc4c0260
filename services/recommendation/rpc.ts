// The door of storefront events and recommendations.
import { randomUUID } from 'node:crypto';
import type {
  RecommendationRpcs,
  RecommendRequest,
  RecommendResponse,
  RecordEventRequest,
} from '#proto/gen/recommendation.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { openMarketplaceRecommender } from './marketplace.ts';
import type { RecommendationNeighbours } from './neighbour.ts';
import type { Recommender } from './recommender.ts';
import type { Recorder } from './recorder.ts';
import { DEEDS, isChannel, sessionOf } from './sighting.ts';

const LIMIT_DEFAULT = 8;

export const recommendationHandlers = (
  clock: Clock,
  neighbours: RecommendationNeighbours,
  recorder: Recorder,
  recommender: Recommender,
): Handlers<RecommendationRpcs> => {
  const recommendOver = openMarketplaceRecommender(neighbours, recommender);

  /** The product that an event is about; hidden ones do not exist for publishable keys. */
  const productOf = async (call: Call, input: RecordEventRequest): Promise<string | Refusal> => {
    const { variant_id, product_id } = input;
    const visible = (active: boolean): boolean => active || call.keyType === 'secret' || call.keyType === 'internal';
    if (variant_id) {
      const product = await neighbours.productOf(call, variant_id);
      return product && visible(product.active) ? product.id : notFound('variant', 'variant_id');
    }
    if (!product_id) {
      return refuse('invalid_request', 'One of `variant_id` and `product_id` is required.', { param: 'product_id' });
    }
    const product = await neighbours.product(call, product_id);
    return product && visible(product.is_active === true) ? product.id : notFound('product', 'product_id');
  };

  /** Without a session a signed-in customer is one, and who is neither stands alone. */
  const sessionNamed = (session: string | null, customer: string | null): Uint8Array => {
    if (session !== null) return sessionOf('session', session);
    return customer === null ? sessionOf('unnamed', randomUUID()) : sessionOf('customer', customer);
  };

  return {
    RecordEvent: read(async (call: Call, input: RecordEventRequest) => {
      // "The body field wins if both are sent."
      const channel = input.channel ?? input.channel_header ?? 'storefront';
      if (!isChannel(channel)) {
        const message = 'The header X-Svc-Channel must be storefront or marketplace.';
        return refuse('invalid_request', message, { param: 'X-Svc-Channel' });
      }
      const product = await productOf(call, input);
      if (product instanceof Refusal) return product;
      const customer = input.customer_id?.toLowerCase() ?? null;
      recorder.record(call.tenant, {
        session: sessionNamed(input.session_id ?? call.session, customer),
        product,
        deeds: DEEDS[input.event_type],
        customer,
        verified: false,
        channel,
        seenAt: clock.now(call.tenant),
      });
      return { recorded: true };
    }),

    Recommend: read(async (call: Call, input: RecommendRequest): Promise<RecommendResponse | Refusal> => {
      const { product_id, session_id, customer_id, intent = 'next_likely', limit = LIMIT_DEFAULT } = input;
      if (intent === 'similar' && !product_id && !session_id && !customer_id) {
        return refuse('invalid_request', 'Similar to what? Name a product, a session or a customer.', {
          param: 'product_id',
        });
      }
      const session = session_id ? sessionOf('session', session_id) : null;
      const merchants = await neighbours.merchants(call);
      if (merchants !== null)
        return recommendOver(call, merchants, { intent, session, limit, product_id, customer_id });
      const product = product_id ? await neighbours.product(call, product_id) : null;
      if (product_id && product === null) return notFound('product', 'product_id');
      const customer = customer_id?.toLowerCase() ?? null;
      if (customer && !(await neighbours.customerExists(call.tenant, customer))) {
        return notFound('customer', 'customer_id');
      }
      return recommender.recommend(call, {
        intent,
        product: product?.id ?? null,
        session,
        customer,
        limit,
      });
    }),
  };
};
