// Implements what an assistant can do at a store, for all protocols. Validates inputs, so that refusals name the wrong
// field. Amounts are in major units.
import { createHash } from 'node:crypto';
import type { Edge } from '#edge/endpoint.ts';
import type { Principal } from '#edge/gates/principal.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { CartDraft, CheckoutIntent } from '#proto/gen/agent.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { ListedPayment } from '#proto/gen/payment.ts';
import { requests } from '#proto/gen/requests.ts';
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { compile, type Validate } from '#proto/validate.ts';
import { type Idempotency, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { Answer } from '#runtime/link/frame.ts';
import { traced } from '#runtime/link/span.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';

const TIMEOUT_MS = 10_000;
const PAYMENT_TIMEOUT_MS = 15_000;
const NAME_LENGTH_MAX = 200;
const PAYMENTS_VERIFIED_PER_CALL_MAX = 3;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const decoder = new TextDecoder();

const validatorOf = (rpc: RpcName): Validate | null => {
  const schema = requests[rpc];
  return schema ? compile({ request: schema }) : null;
};

export interface RetryKey {
  readonly key: string;
  /** Body or arguments of the request. Another body with the same key is refused as `idempotency_conflict`. */
  readonly body: string;
}

/** Result of a write. `replayed` says that it is the stored response to an earlier request. */
export interface WriteResult<T> {
  readonly value: T;
  readonly replayed: boolean;
}

export type Completion = Partial<
  Pick<
    RpcRequest<'IntentOrder/PlaceIntentOrder'>,
    'token' | 'email' | 'buyer' | 'billing_address' | 'note' | 'expected_total' | 'pay_later' | 'gift_card_codes'
  >
>;

export interface Completed {
  readonly checkout: CheckoutIntent;
  readonly order: StoreOrder;
  readonly replayed: boolean;
}

type NewCheckout = RpcRequest<'AgentSession/BeginCheckout'>['checkout'];
type NewCart = RpcRequest<'AgentSession/BeginCart'>['cart'];
type CheckoutChange = Omit<RpcRequest<'AgentSession/ChangeCheckout'>, 'id'>;
type CartChange = Omit<RpcRequest<'AgentSession/ChangeCart'>, 'id'>;

const NO_CHECKOUT = refuse('not_found', 'No such checkout.');
const NO_CART = refuse('not_found', 'No such cart.');
const NO_ORDER = refuse('not_found', 'No such order.');

/** Returns an assistant's name without control characters and cut to the limit; `Unnamed` if it is empty. */
export const agentNameOf = (name: string | null | undefined, protocol: AgentName['protocol']): AgentName => {
  const clean = (name ?? '').replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return { name: clean.slice(0, NAME_LENGTH_MAX) || 'Unnamed', protocol };
};

export class Core {
  readonly #edge: Edge;
  readonly #context: RequestContext;
  readonly #caller: Principal;

  constructor(edge: Edge, context: RequestContext, caller: Principal) {
    this.#edge = edge;
    this.#context = context;
    this.#caller = caller;
  }

  find(input: RpcRequest<'Assistant/FindProducts'>) {
    return this.#read('Assistant/FindProducts', input);
  }

  lookUp(ids: readonly string[], currency?: string) {
    return this.#read('Assistant/LookUpProducts', { ids, ...(currency !== undefined && { currency }) });
  }

  categories() {
    return this.#read('Category/ListCategories', {});
  }

  shippingOptions(input: RpcRequest<'Assistant/ListWays'>) {
    return this.#read('Assistant/ListWays', input);
  }

  policy(type: RpcRequest<'Store/GetPolicy'>['type']) {
    return this.#read('Store/GetPolicy', { type });
  }

  async summary(): Promise<string | Refusal> {
    const { store } = this.#caller.tenant;
    const answer = await this.#answer('Feed/GetSummary', { store }, { write: false, idempotency: null });
    return answer.refused ?? decoder.decode(answer.body);
  }

  beginCart(agent: AgentName, cart: NewCart, retry: RetryKey | null): Promise<WriteResult<CartDraft> | Refusal> {
    return this.#write('AgentSession/BeginCart', { cart, agent }, retry, 'cart');
  }

  async cart(id: string): Promise<CartDraft | Refusal> {
    if (!UUID.test(id)) return NO_CART;
    const found = await this.#read('Agent/GetCartDraft', { id });
    return found instanceof Refusal ? found : found.data;
  }

  /**
   * Changes a cart. If `obstacle` is given nothing is changed: the retry of an earlier change gets its stored response,
   * any other request is refused with `obstacle`.
   */
  async changeCart(
    id: string,
    change: CartChange,
    retry: RetryKey | null,
    obstacle: Refusal | null = null,
  ): Promise<WriteResult<CartDraft> | Refusal> {
    return UUID.test(id) ? this.#write('AgentSession/ChangeCart', { ...change, id }, retry, id, obstacle) : NO_CART;
  }

  async cancelCart(id: string, retry: RetryKey | null): Promise<WriteResult<CartDraft> | Refusal> {
    return UUID.test(id) ? this.#write('AgentSession/CancelCart', { id }, retry, id) : NO_CART;
  }

  /** `checkout` must have exactly one of `items`, `quote_id` and `cart_draft_id`. */
  beginCheckout(
    agent: AgentName,
    checkout: NewCheckout,
    retry: RetryKey | null,
  ): Promise<WriteResult<CheckoutIntent> | Refusal> {
    return this.#write('AgentSession/BeginCheckout', { checkout, agent }, retry, 'checkout');
  }

  async checkout(id: string): Promise<CheckoutIntent | Refusal> {
    if (!UUID.test(id)) return NO_CHECKOUT;
    const found = await this.#read('Agent/GetCheckoutIntent', { id });
    return found instanceof Refusal ? found : found.data;
  }

  /**
   * Sets the given fields, keeps absent ones, and clears those that are null. Lines that stay keep their prices.
   * `obstacle` works as in `changeCart`.
   */
  async changeCheckout(
    id: string,
    change: CheckoutChange,
    retry: RetryKey | null,
    obstacle: Refusal | null = null,
  ): Promise<WriteResult<CheckoutIntent> | Refusal> {
    const rpc = 'AgentSession/ChangeCheckout';
    return UUID.test(id) ? this.#write(rpc, { ...change, id }, retry, id, obstacle) : NO_CHECKOUT;
  }

  async cancelCheckout(id: string, retry: RetryKey | null): Promise<WriteResult<CheckoutIntent> | Refusal> {
    return UUID.test(id) ? this.#write('Agent/CancelCheckoutIntent', { id }, retry, id) : NO_CHECKOUT;
  }

  /**
   * Places the checkout's order and pays it with the token, both or neither. No token is needed if nothing is due or
   * payment is deferred. Refuses as `amount_mismatch` if the total differs from `expected_total`. `agent` is null if
   * the buyer completes the checkout.
   */
  async completeCheckout(
    id: string,
    agent: AgentName | null,
    completion: Completion,
    retry: RetryKey | null,
  ): Promise<Completed | Refusal> {
    if (!UUID.test(id)) return NO_CHECKOUT;
    const rpc = 'IntentOrder/PlaceIntentOrder';
    const input = { checkout_intent_id: id, agent, ...completion };
    const placed = await this.#ask<typeof rpc>(rpc, input, {
      write: true,
      idempotency: retry && keyed(rpc, id, retry),
    });
    if (placed instanceof Refusal) return placed;
    const [checkout, order] = await Promise.all([this.checkout(id), this.order(placed.value.order.id)]);
    if (checkout instanceof Refusal) return checkout;
    return { checkout, order: order instanceof Refusal ? placed.value.order : order, replayed: placed.replayed };
  }

  /** Issues a payment token of the simulator; only in the sandbox. */
  async issueToken(
    input: RpcRequest<'PaymentToken/IssueToken'>,
    retry: RetryKey | null,
  ): Promise<WriteResult<RpcResponse<'PaymentToken/IssueToken'>> | Refusal> {
    const rpc = 'PaymentToken/IssueToken';
    return this.#ask<typeof rpc>(rpc, input, {
      write: true,
      idempotency: retry && keyed(rpc, 'token', retry),
    });
  }

  paymentMethods() {
    return this.#read('Payment/ListMethods', {});
  }

  giftCards(code: string) {
    return this.#read('Value/ReadGiftCards', { code });
  }

  async beginPayment(
    input: RpcRequest<'Payment/InitializePayment'>,
  ): Promise<RpcResponse<'Payment/InitializePayment'> | Refusal> {
    const rpc = 'Payment/InitializePayment';
    const answer = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return answer instanceof Refusal ? answer : answer.value;
  }

  async settlePayments(order_id: string): Promise<void> {
    const pending = await this.#read('Payment/ListPayments', {
      order_id,
      status: 'pending',
      limit: PAYMENTS_VERIFIED_PER_CALL_MAX,
    });
    if (pending instanceof Refusal) return;
    const rpc = 'Payment/VerifyPayment';
    const verify = ({ provider, reference }: ListedPayment) =>
      this.#ask<typeof rpc>(rpc, { provider, reference }, { write: true, idempotency: null });
    await Promise.all(pending.payments.map(verify));
  }

  /** Returns an order. The adapter must check who may see it, because knowing an id proves nothing. */
  async order(id: string): Promise<StoreOrder | Refusal> {
    if (!UUID.test(id)) return NO_ORDER;
    const found = await this.#read('Assistant/GetOrder', { id });
    return found instanceof Refusal ? found : found.order;
  }

  platform(profile: string, kid: string | null) {
    return this.#read('Assistant/ReadPlatform', { profile, kid });
  }

  async notePlatform(checkout_intent_id: string, profile: string): Promise<Refusal | null> {
    const rpc = 'PlatformWebhook/NotePlatform';
    const answer = await this.#ask<typeof rpc>(
      rpc,
      { checkout_intent_id, profile },
      { write: true, idempotency: null },
    );
    return answer instanceof Refusal ? answer : null;
  }

  async isOrderOfPlatform({ checkout_intent_id }: StoreOrder, profile: string): Promise<boolean | Refusal> {
    if (checkout_intent_id === null) return false;
    const answer = await this.#read('PlatformWebhook/FindPlatform', { checkout_intent_id, profile });
    return answer instanceof Refusal ? answer : answer.found;
  }

  async followCheckout(input: RpcRequest<'PlatformWebhook/FollowCheckout'>): Promise<Refusal | null> {
    const rpc = 'PlatformWebhook/FollowCheckout';
    const answer = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return answer instanceof Refusal ? answer : null;
  }

  async signAnswer(
    input: RpcRequest<'PlatformWebhook/SignAnswer'>,
  ): Promise<RpcResponse<'PlatformWebhook/SignAnswer'> | Refusal> {
    const rpc = 'PlatformWebhook/SignAnswer';
    const answer = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return answer instanceof Refusal ? answer : answer.value;
  }

  async #write<R extends WritingRpc>(
    rpc: R,
    input: RpcRequest<R>,
    retry: RetryKey | null,
    about: string,
    obstacle: Refusal | null = null,
  ): Promise<WriteResult<RpcResponse<R>['data']> | Refusal> {
    if (obstacle && !retry) return obstacle;
    const idempotency = retry && { ...keyed(rpc, about, retry), replayOnly: obstacle !== null };
    const answer = await this.#ask<R>(rpc, input, { write: true, idempotency });
    if (obstacle && answer instanceof Refusal && answer.code === 'rate_limited') return obstacle;
    return answer instanceof Refusal ? answer : { value: answer.value.data, replayed: answer.replayed };
  }

  async #read<R extends RpcName>(rpc: R, input: RpcRequest<R>): Promise<RpcResponse<R> | Refusal> {
    const answer = await this.#ask<R>(rpc, input, { write: false, idempotency: null });
    return answer instanceof Refusal ? answer : answer.value;
  }

  async #ask<R extends RpcName>(
    rpc: R,
    input: RpcRequest<R>,
    options: AskOptions,
  ): Promise<WriteResult<RpcResponse<R>> | Refusal> {
    const verdict = validatorOf(rpc)?.(input);
    if (verdict && !verdict.ok)
      return outside(refuse('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {}));
    const answer = await this.#answer(rpc, verdict?.value ?? input, options);
    if (answer.refused) return outside(answer.refused);
    return { value: JSON.parse(decoder.decode(answer.body)), replayed: answer.replayed };
  }

  #answer(rpc: RpcName, value: unknown, { write, idempotency }: AskOptions): Promise<Answer> {
    const { requestId } = this.#context;
    const caller = this.#caller;
    const { freshness, wire } = this.#edge;
    return Promise.resolve(
      traced({ rpc, caller, requestId }, this.#context.trace, (trace) =>
        wire.ask(
          new ValueAsk({
            rpc,
            caller,
            timeoutMs: PAYING.has(rpc) ? PAYMENT_TIMEOUT_MS : TIMEOUT_MS,
            requestId,
            trace,
            value,
            rawBody: null,
            contentType: '',
            idempotency,
            revisionMin: freshness.newest(caller.tenant, 'catalog'),
          }),
          write,
        ),
      ),
    );
  }
}

interface AskOptions {
  readonly write: boolean;
  readonly idempotency: Idempotency | null;
}

type WritingRpc =
  | 'AgentSession/BeginCart'
  | 'AgentSession/CancelCart'
  | 'AgentSession/ChangeCart'
  | 'AgentSession/BeginCheckout'
  | 'AgentSession/ChangeCheckout'
  | 'Agent/CancelCheckoutIntent';

const PAYING: ReadonlySet<RpcName> = new Set<RpcName>([
  'IntentOrder/PlaceIntentOrder',
  'Payment/InitializePayment',
  'Payment/VerifyPayment',
]);

/** Makes an idempotency key valid for one operation on one object, in all protocols. */
const keyed = (rpc: RpcName, about: string, { key, body }: RetryKey): Idempotency => ({
  key,
  scope: `assistant ${rpc} ${about}`,
  fingerprint: createHash('sha256').update(body).digest('hex'),
  replayOnly: false,
});

/** Renames the refusal's field to the name that the core's caller used; the rpc nests that field. */
const outside = (refusal: Refusal): Refusal => renamed(refusal, (param) => param.replace(/^(?:checkout|cart)\./, ''));
