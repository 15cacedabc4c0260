// Handlers of storefront events and recommendations.
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
import type { RecommendationClients } from './client.ts';
import { ACTIONS, isChannel, sessionOf } from './interaction.ts';
import { openMarketplaceRecommender } from './marketplace.ts';
import type { Recommender } from './recommender.ts';
import type { Recorder } from './recorder.ts';

const LIMIT_DEFAULT = 8;

export const recommendationHandlers = (
  clock: Clock,
  clients: RecommendationClients,
  recorder: Recorder,
  recommender: Recommender,
): Handlers<RecommendationRpcs> => {
  const recommendOver = openMarketplaceRecommender(clients, recommender);

  /** Resolves the product; for publishable keys inactive products do not exist. */
  const productOf = async (call: Call, input: RecordEventRequest): Promise<string | Refusal> => {
    const { variant_id, product_id } = input;
    const visible = (active: boolean): boolean => active || call.keyType === 'secret' || call.keyType === 'internal';
    if (variant_id) {
      const product = await clients.productOfVariant(call, variant_id);
      return product && visible(product.active) ? product.id : notFound('variant', 'variant_id');
    }
    if (!product_id) {
      return refuse('invalid_request', 'The event names no product. Send `variant_id` or `product_id`.', {
        param: 'product_id',
      });
    }
    const product = await clients.product(call, product_id);
    return product && visible(product.is_active === true) ? product.id : notFound('product', 'product_id');
  };

  /** Without a session id, all events of a signed-in customer form one session, and each anonymous event its own. */
  const sessionNamed = (session: string | null, customer: string | null): Uint8Array => {
    if (session !== null) return sessionOf('session', session);
    return customer === null ? sessionOf('unnamed', randomUUID()) : sessionOf('customer', customer);
  };

  return {
    RecordEvent: read(async (call: Call, input: RecordEventRequest) => {
      const channel = input.channel ?? input.channel_header ?? 'storefront';
      if (!isChannel(channel)) {
        const message = `The header X-Svc-Channel is "${channel}". Send "storefront" or "marketplace".`;
        return refuse('invalid_request', message, { param: 'X-Svc-Channel' });
      }
      const product = await productOf(call, input);
      if (product instanceof Refusal) return product;
      const customer = input.customer_id?.toLowerCase() ?? null;
      recorder.record(call.tenant, {
        session: sessionNamed(input.session_id ?? call.session, customer),
        product,
        actions: ACTIONS[input.event_type],
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
        return refuse(
          'invalid_request',
          'The intent `similar` needs something to compare with. Send `product_id`, `session_id` or `customer_id`.',
          {
            param: 'product_id',
          },
        );
      }
      const session = session_id ? sessionOf('session', session_id) : null;
      const merchants = await clients.merchants(call);
      if (merchants !== null)
        return recommendOver(call, merchants, { intent, session, limit, product_id, customer_id });
      const product = product_id ? await clients.product(call, product_id) : null;
      if (product_id && product === null) return notFound('product', 'product_id');
      const customer = customer_id?.toLowerCase() ?? null;
      if (customer && !(await clients.customerExists(call.tenant, customer))) {
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
