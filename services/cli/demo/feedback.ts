// Makes demo shoppers buy and review products, and the shop moderate the reviews.

import type { OrderResponse } from '#proto/gen/order.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { CreateReviewRequest, ProductReview, ReviewResponse } from '#proto/gen/review.ts';
import type { Client } from './client.ts';
import { HOME } from './purchase.ts';
import { type DemoReview, REVIEWS } from './review.ts';
import { type DemoSession, type DemoShopper, signInShopper } from './shopper.ts';

const PAGE = 100;
const PATH = '/v1/reviews';

type ProductsByName = ReadonlyMap<string, Pick<ListedProduct, 'id' | 'name' | 'variant_id'>>;

export interface Feedback {
  readonly passwordOf: (shopper: DemoShopper) => string;
  /** Whether to create orders and unpublished reviews too; if not, only approved reviews. */
  readonly complete: boolean;
}

export const seedFeedback = async (store: Client, { passwordOf, complete }: Feedback): Promise<void> => {
  const products = await store.all<Pick<ListedProduct, 'id' | 'name' | 'variant_id'>>(
    '/v1/products?fields=id,name,variant_id&',
    'products',
    PAGE,
  );
  const byName: ProductsByName = new Map(products.map((product) => [product.name, product]));
  const written = await store.all<ProductReview>(`${PATH}?`, 'reviews', PAGE);
  const sessions = new Map<DemoShopper, Promise<DemoSession>>();
  const signIn = (shopper: DemoShopper): Promise<DemoSession> => {
    const known = sessions.get(shopper) ?? signInShopper(store, shopper, passwordOf(shopper));
    sessions.set(shopper, known);
    return known;
  };
  for (const review of REVIEWS) {
    if (!complete && review.verdict !== 'approved') continue;
    const { id: product_id, variant_id } = byName.get(review.product)!;
    const found = written.find((it) => it.product_id === product_id && it.title === review.title);
    const made =
      found ?? (await write(store, await signIn(review.shopper), review, product_id, complete ? variant_id : null));
    await decide(store, review, made);
  }
};

const write = async (
  store: Client,
  { id: customer_id, api }: DemoSession,
  { rating, title, body, bought }: DemoReview,
  product_id: string,
  variant_id: string | null,
): Promise<ProductReview> => {
  const order_id = bought && variant_id ? await buy(store, customer_id, variant_id) : null;
  const review: CreateReviewRequest = { product_id, order_id, rating, title, body };
  return (await api.post<ReviewResponse>(PATH, review)).review;
};

const buy = async (store: Client, customer_id: string, variant_id: string): Promise<string> => {
  const { order } = await store.sign<OrderResponse>('POST', '/v1/orders', {
    items: [{ variant_id, quantity: 1 }],
    customer_id,
    shipping_address: HOME,
    shipping_option_id: 'place',
  });
  await store.sign<OrderResponse>('PATCH', `/v1/orders/${order.id}`, {
    payment_status: 'paid',
    order_status: 'delivered',
  });
  return order.id;
};

const decide = async (store: Client, { verdict, votes }: DemoReview, { id, status, helpful_count }: ProductReview) => {
  if (verdict !== null && status === 'pending')
    await store.patch<ReviewResponse>(
      `${PATH}/${id}`,
      verdict === 'approved' ? { status: verdict } : { status: 'rejected', rejection_reason: verdict.rejected },
    );
  for (let voter = helpful_count; voter < votes; voter++)
    await store.with({ 'x-session-id': `demo-voter-${voter}` }).repeat<ReviewResponse>(`${PATH}/${id}/helpful`);
};
