// The core behind every protocol: what an assistant can do at a store, typed by the map of rpcs. Inputs are held against
// their schemas here, so that a refusal names the field; amounts are in major units, as everywhere on this side.
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
import { LinkQuestion } from '#runtime/link/question.ts';
import { traced } from '#runtime/link/span.ts';

const TIMEOUT_MS = 10_000;
const PAYMENT_TIMEOUT_MS = 15_000;
const NAME_LENGTH_MAX = 200;
/** Payments of one order that are asked after at once. */
const PENDING_MAX = 3;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const decoder = new TextDecoder();

const validatorOf = (rpc: RpcName): Validate | null => {
  const schema = requests[rpc];
  return schema ? compile({ request: schema }) : null;
};

/** What a retry is recognised by: the client's key, what it was for, and what came with it. */
export interface RetryKey {
  readonly key: string;
  /** The request's body, or its arguments: another one under the same key is `idempotency_conflict`. */
  readonly body: string;
}

/** What was written, and whether a retry was answered as the first time. */
export interface Told<T> {
  readonly value: T;
  readonly replayed: boolean;
}

export type Completion = Partial<
  Pick<
    RpcRequest<'IntentOrder/PlaceIntentOrder'>,
    'token' | 'email' | 'buyer' | 'billing_address' | 'note' | 'expected_total' | 'pay_later' | 'gift_card_codes'
  >
>;

/** As it stands once its payment was settled. */
export interface Completed {
  readonly checkout: CheckoutIntent;
  readonly order: StoreOrder;
  readonly replayed: boolean;
}

type Begun = RpcRequest<'AgentSession/BeginCheckout'>['checkout'];
type BegunCart = RpcRequest<'AgentSession/BeginCart'>['cart'];
type Changed = Omit<RpcRequest<'AgentSession/ChangeCheckout'>, 'id'>;
type ChangedCart = Omit<RpcRequest<'AgentSession/ChangeCart'>, 'id'>;

const NO_CHECKOUT = refuse('not_found', 'No such checkout.');
const NO_CART = refuse('not_found', 'No such cart.');
const NO_ORDER = refuse('not_found', 'No such order.');

/** The name that an assistant gives itself, as it is kept; `Unnamed` where it gives none. */
export const agentNamed = (name: string | null | undefined, protocol: AgentName['protocol']): AgentName => {
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

  // ── Catalogue and delivery ───────────────────────────────────────────────────────────────────────────────────────────

  find(input: RpcRequest<'Assistant/FindProducts'>) {
    return this.#read('Assistant/FindProducts', input);
  }

  lookUp(ids: readonly string[]) {
    return this.#read('Assistant/LookUpProducts', { ids });
  }

  categories() {
    return this.#read('Category/ListCategories', {});
  }

  ways(input: RpcRequest<'Assistant/ListWays'>) {
    return this.#read('Assistant/ListWays', input);
  }

  policy(type: RpcRequest<'Store/GetPolicy'>['type']) {
    return this.#read('Store/GetPolicy', { type });
  }

  /** llms.txt: the store in Markdown. */
  async summary(): Promise<string | Refusal> {
    const { store } = this.#caller.tenant;
    const answer = await this.#answer('Feed/GetSummary', { store }, { write: false, idempotency: null });
    return answer.refused ?? decoder.decode(answer.body);
  }

  // ── Carts ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  beginCart(agent: AgentName, cart: BegunCart, retry: RetryKey | null): Promise<Told<CartDraft> | Refusal> {
    return this.#written('AgentSession/BeginCart', { cart, agent }, retry, 'cart');
  }

  async cart(id: string): Promise<CartDraft | Refusal> {
    if (!UUID.test(id)) return NO_CART;
    const found = await this.#read('Agent/GetCartDraft', { id });
    return found instanceof Refusal ? found : found.data;
  }

  async changeCart(id: string, change: ChangedCart, retry: RetryKey | null): Promise<Told<CartDraft> | Refusal> {
    return UUID.test(id) ? this.#written('AgentSession/ChangeCart', { ...change, id }, retry, id) : NO_CART;
  }

  async cancelCart(id: string, retry: RetryKey | null): Promise<Told<CartDraft> | Refusal> {
    return UUID.test(id) ? this.#written('AgentSession/CancelCart', { id }, retry, id) : NO_CART;
  }

  // ── Checkouts: each is a checkout intent, and holds its stock ────────────────────────────────────────────────────────

  /** From exactly one of `items`, `quote_id` and `cart_draft_id`. */
  beginCheckout(agent: AgentName, checkout: Begun, retry: RetryKey | null): Promise<Told<CheckoutIntent> | Refusal> {
    return this.#written('AgentSession/BeginCheckout', { checkout, agent }, retry, 'checkout');
  }

  async checkout(id: string): Promise<CheckoutIntent | Refusal> {
    if (!UUID.test(id)) return NO_CHECKOUT;
    const found = await this.#read('Agent/GetCheckoutIntent', { id });
    return found instanceof Refusal ? found : found.data;
  }

  /** What the change names is set, the rest stays; null clears. Lines that stay keep their prices. */
  async changeCheckout(id: string, change: Changed, retry: RetryKey | null): Promise<Told<CheckoutIntent> | Refusal> {
    return UUID.test(id) ? this.#written('AgentSession/ChangeCheckout', { ...change, id }, retry, id) : NO_CHECKOUT;
  }

  async cancelCheckout(id: string, retry: RetryKey | null): Promise<Told<CheckoutIntent> | Refusal> {
    return UUID.test(id) ? this.#written('Agent/CancelCheckoutIntent', { id }, retry, id) : NO_CHECKOUT;
  }

  /**
   * Places the checkout's one order and has a payment token pay it: both, or neither. A checkout that costs nothing, or is to
   * be paid later, needs no token. With `expected_total` another total is `amount_mismatch`. `agent`: null where its buyer
   * completes it by themselves.
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
    // Its payment was settled since it was placed.
    const [checkout, order] = await Promise.all([this.checkout(id), this.order(placed.value.order.id)]);
    if (checkout instanceof Refusal) return checkout;
    return { checkout, order: order instanceof Refusal ? placed.value.order : order, replayed: placed.replayed };
  }

  /** The simulator's payment tokens: in the sandbox alone. */
  async issueToken(
    input: RpcRequest<'PaymentToken/IssueToken'>,
    retry: RetryKey | null,
  ): Promise<Told<RpcResponse<'PaymentToken/IssueToken'>> | Refusal> {
    const rpc = 'PaymentToken/IssueToken';
    return this.#ask<typeof rpc>(rpc, input, {
      write: true,
      idempotency: retry && keyed(rpc, 'token', retry),
    });
  }

  // ── Payments that a buyer makes at a provider ────────────────────────────────────────────────────────────────────────

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
    const told = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return told instanceof Refusal ? told : told.value;
  }

  /** Asks the providers what became of an order's payments that are under way. */
  async settlePayments(order_id: string): Promise<void> {
    const begun = await this.#read('Payment/ListPayments', { order_id, status: 'pending', limit: PENDING_MAX });
    if (begun instanceof Refusal) return;
    const rpc = 'Payment/VerifyPayment';
    const verify = ({ provider, reference }: ListedPayment) =>
      this.#ask<typeof rpc>(rpc, { provider, reference }, { write: true, idempotency: null });
    await Promise.all(begun.payments.map(verify));
  }

  // ── Orders ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Who may see it is the adapter's to decide: an id alone says nothing about its sender. */
  async order(id: string): Promise<StoreOrder | Refusal> {
    if (!UUID.test(id)) return NO_ORDER;
    const found = await this.#read('Assistant/GetOrder', { id });
    return found instanceof Refusal ? found : found.order;
  }

  /** What a UCP platform's profile says. */
  platform(profile: string, kid: string | null) {
    return this.#read('Assistant/ReadPlatform', { profile, kid });
  }

  /** The platform may read the order that comes of a checkout. */
  async notePlatform(checkout_intent_id: string, profile: string): Promise<Refusal | null> {
    const rpc = 'PlatformWebhook/NotePlatform';
    const told = await this.#ask<typeof rpc>(rpc, { checkout_intent_id, profile }, { write: true, idempotency: null });
    return told instanceof Refusal ? told : null;
  }

  /** Whether the platform began or completed the checkout that an order comes of. */
  async isPlatforms({ checkout_intent_id }: StoreOrder, profile: string): Promise<boolean | Refusal> {
    if (checkout_intent_id === null) return false;
    const told = await this.#read('PlatformWebhook/FindPlatform', { checkout_intent_id, profile });
    return told instanceof Refusal ? told : told.found;
  }

  /** A platform hears of the order that comes of a checkout. */
  async followCheckout(input: RpcRequest<'PlatformWebhook/FollowCheckout'>): Promise<Refusal | null> {
    const rpc = 'PlatformWebhook/FollowCheckout';
    const told = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return told instanceof Refusal ? told : null;
  }

  /** The store's own signature of an answer. */
  async signAnswer(
    input: RpcRequest<'PlatformWebhook/SignAnswer'>,
  ): Promise<RpcResponse<'PlatformWebhook/SignAnswer'> | Refusal> {
    const rpc = 'PlatformWebhook/SignAnswer';
    const told = await this.#ask<typeof rpc>(rpc, input, { write: true, idempotency: null });
    return told instanceof Refusal ? told : told.value;
  }

  // ── How the services are asked ───────────────────────────────────────────────────────────────────────────────────────

  async #written<R extends WritingRpc>(
    rpc: R,
    input: RpcRequest<R>,
    retry: RetryKey | null,
    about: string,
  ): Promise<Told<RpcResponse<R>['data']> | Refusal> {
    const told = await this.#ask<R>(rpc, input, { write: true, idempotency: retry && keyed(rpc, about, retry) });
    return told instanceof Refusal ? told : { value: told.value.data, replayed: told.replayed };
  }

  async #read<R extends RpcName>(rpc: R, input: RpcRequest<R>): Promise<RpcResponse<R> | Refusal> {
    const told = await this.#ask<R>(rpc, input, { write: false, idempotency: null });
    return told instanceof Refusal ? told : told.value;
  }

  async #ask<R extends RpcName>(rpc: R, input: RpcRequest<R>, way: Way): Promise<Told<RpcResponse<R>> | Refusal> {
    const verdict = validatorOf(rpc)?.(input);
    if (verdict && !verdict.ok)
      return outside(refuse('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {}));
    const answer = await this.#answer(rpc, verdict?.value ?? input, way);
    if (answer.refused) return outside(answer.refused);
    return { value: JSON.parse(decoder.decode(answer.body)), replayed: answer.replayed };
  }

  #answer(rpc: RpcName, value: unknown, { write, idempotency }: Way): Promise<Answer> {
    const { requestId } = this.#context;
    const caller = this.#caller;
    const { revisions, wire } = this.#edge;
    return Promise.resolve(
      traced({ rpc, caller, requestId }, this.#context.trace, (trace) =>
        wire.ask(
          new LinkQuestion({
            rpc,
            caller,
            timeoutMs: PAYING.has(rpc) ? PAYMENT_TIMEOUT_MS : TIMEOUT_MS,
            requestId,
            trace,
            value,
            rawBody: null,
            contentType: '',
            idempotency,
            revisionMin: revisions.newest(caller.tenant),
          }),
          write,
        ),
      ),
    );
  }
}

interface Way {
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

/** One key is one operation on one thing, whichever protocol it comes by. */
const keyed = (rpc: RpcName, about: string, { key, body }: RetryKey): Idempotency => ({
  key,
  scope: `assistant ${rpc} ${about}`,
  fingerprint: createHash('sha256').update(body).digest('hex'),
  replayOnly: false,
});

/** A refusal's field as the core's caller named it, not as the rpc wraps it. */
const outside = (refusal: Refusal): Refusal => renamed(refusal, (param) => param.replace(/^(?:checkout|cart)\./, ''));
