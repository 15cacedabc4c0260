// Serves the pages that assistants link to, without a key: checkout, order, policy and summary. The checkout or order
// determines the environment.
import type { Edge } from '#edge/endpoint.ts';
import { ownCall } from '#edge/own_call.ts';
import { checkoutPage } from '#edge/pages/shop/checkout.ts';
import { orderPage } from '#edge/pages/shop/order.ts';
import type { PageCall } from '#edge/pages/shop/page_call.ts';
import { policyPage } from '#edge/pages/shop/policy.ts';
import { methodNotAllowedPage, notFoundResponse, refusalPage } from '#edge/pages/shop/response.ts';
import { summaryPage } from '#edge/pages/shop/summary.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Environment, Refusal, refuse } from '#runtime/call/call.ts';
import type { AssistantStore } from './assistant_store.ts';
import { Core } from './core.ts';
import type { Gate } from './gate.ts';

interface Page {
  readonly kind: 'checkout' | 'order' | null;
  readonly takesForms: boolean;
  readonly respond: (call: PageCall) => Promise<Response>;
}

const PAGES: Readonly<Record<string, Page>> = {
  checkout: { kind: 'checkout', takesForms: true, respond: checkoutPage },
  orders: { kind: 'order', takesForms: true, respond: orderPage },
  policies: { kind: null, takesForms: false, respond: policyPage },
  'llms.txt': { kind: null, takesForms: false, respond: summaryPage },
};

const PATH = /^\/(?:(checkout|orders|policies)\/([A-Za-z0-9-]{1,64})|(llms\.txt))$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIMEOUT_MS = 5_000;
const FAULT = refuse('server_error', 'An internal error occurred.');

/** Returns the page and the name in the part of a path after the store's URL; null if it matches no page. */
export const readPage = (rest: string): { readonly page: Page; readonly name: string } | null => {
  const [, folder, name = '', file] = PATH.exec(rest) ?? [];
  const page = PAGES[folder ?? file ?? ''];
  return page ? { page, name } : null;
};

export const openPages = (edge: Edge, gate: Gate) => {
  const environmentOf = async (
    context: RequestContext,
    shop: AssistantStore,
    { kind }: Page,
    id: string,
  ): Promise<Environment | Refusal> => {
    if (kind === null) return 'production';
    if (!UUID.test(id)) return refuse('not_found', 'No such page.');
    const tenant = { store: shop.id, environment: 'production' } as const;
    const caller = { tenant, keyType: 'internal', keyId: '', customer: null } as const;
    const call = { caller, timeoutMs: TIMEOUT_MS, origin: context };
    const found = await ownCall(edge.wire, 'Assistant/FindEnvironment', { kind, id }, call);
    return found instanceof Refusal ? found : found.environment;
  };

  const answer = async (
    context: RequestContext,
    { page, name }: NonNullable<ReturnType<typeof readPage>>,
    shop: AssistantStore | null,
    { base, peer }: { readonly base: string; readonly peer: () => string },
  ): Promise<Response> => {
    const { method } = context.request;
    const verbs = page.takesForms ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
    if (!verbs.includes(method)) return methodNotAllowedPage(context, verbs.join(', '));
    if (shop === null || !shop.open) return notFoundResponse(context);
    const environment = await environmentOf(context, shop, page, name);
    if (environment instanceof Refusal) return refusalPage(context, environment);
    const buyer = await gate.visitPage(context, shop, environment, peer);
    if (buyer instanceof Refusal) return refusalPage(context, buyer);
    const attempt = async (): Promise<Refusal | null> => {
      const outcome = await gate.attempt(context, buyer, peer);
      return outcome instanceof Refusal ? outcome : null;
    };
    const core = new Core(edge, context, buyer);
    return page.respond({ context, shop, environment, name: name.toLowerCase(), base, core, attempt });
  };

  return async (...asked: Parameters<typeof answer>): Promise<Response> => {
    const [context] = asked;
    try {
      return await answer(...asked);
    } catch (problem) {
      context.problem = problem;
      edge.log.error({ err: problem, request_id: context.requestId }, 'failed to answer a page request');
      return refusalPage(context, FAULT);
    }
  };
};
