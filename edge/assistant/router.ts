// Routes assistant requests, under `/s/<code>` and at the root of stores' domains, to a protocol adapter or a page.
import { preflightResponse } from '#edge/answer.ts';
import type { Edge, UrlParts } from '#edge/endpoint.ts';
import { refusalPage } from '#edge/pages/shop/response.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { acpAdapter } from './acp/adapter.ts';
import type { Adapter } from './adapter.ts';
import { Core } from './core.ts';
import { Gate } from './gate.ts';
import { mcpAdapter } from './mcp/adapter.ts';
import { openPages, readPage } from './page.ts';
import { ucpAdapter } from './ucp/adapter.ts';

const ADAPTERS: readonly Adapter[] = [acpAdapter, mcpAdapter, ucpAdapter];

export type AssistantPeer = () => string;

export interface AssistantRouter {
  underCode(context: RequestContext, target: UrlParts, peer: AssistantPeer): Promise<Response | null>;
  /** Serves a path at the root of a store's domain; returns null for any other host. */
  atDomain(context: RequestContext, target: UrlParts, peer: AssistantPeer): Promise<Response | null>;
}

export const ALL_VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const CODE_PATHS = ['/s/:code', '/s/:code/*'] as const;
/** Paths served at the root of stores' domains; the platform's own hosts do not use them. */
export const DOMAIN_PATHS = ['/mcp', '/acp', '/acp/*', '/ucp', '/ucp/*', '/.well-known/*'] as const;

const CODE = /^[A-Za-z0-9-]{1,64}$/;

const WELL_KNOWN: Readonly<Record<string, string>> = { ucp: 'ucp', 'acp.json': 'acp' };

const readPath = (rest: string): { readonly protocol: string; readonly path: string } => {
  const wellKnown = /^\/\.well-known\/([^/]+)$/.exec(rest)?.[1];
  if (wellKnown !== undefined) return { protocol: WELL_KNOWN[wellKnown] ?? '', path: rest };
  const [, protocol = '', path = ''] = /^\/([^/]*)(\/.*)?$/.exec(rest) ?? [];
  return { protocol, path };
};

const UNAVAILABLE = refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 });
const FAULT = refuse('server_error', 'An internal error occurred.');

export const createAssistantRouter = (edge: Edge, publicUrl: () => string): AssistantRouter => {
  const gate = new Gate(edge);
  const showPage = openPages(edge, gate);
  const adapters: ReadonlyMap<string, Adapter> = new Map(ADAPTERS.map((adapter) => [adapter.protocol, adapter]));

  const serve = async (
    context: RequestContext,
    name: string,
    rest: string,
    { search, peer, host }: { readonly search: string; readonly peer: AssistantPeer; readonly host: string | null },
  ): Promise<Response | null> => {
    const pageRequest = host === null ? readPage(rest) : null;
    if (pageRequest) {
      const shop = await edge.assistantStores.find(name, context);
      if (shop instanceof Refusal) return refusalPage(context, shop);
      const page = await showPage(context, pageRequest, shop, { base: `${publicUrl()}/s/${shop?.code ?? name}`, peer });
      return recorded(context, page);
    }
    const { protocol, path } = readPath(rest);
    const adapter = adapters.get(protocol);
    if (!adapter) return null;
    const { request } = context;
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method'))
      return preflightResponse(context, ALL_VERBS);
    const shop = await edge.assistantStores.find(name, context);
    // A host that is no store's domain gets the same 404 as for any unknown path.
    if (shop === null && host !== null) return null;
    if (shop instanceof Refusal) return adapter.refuse(context, UNAVAILABLE);
    const caller = await gate.enter(context, adapter, shop, { path, peer });
    if (caller instanceof Refusal) return recorded(context, adapter.refuse(context, caller));
    const base = `${publicUrl()}/s/${shop!.code}`;
    try {
      const answer = await adapter.serve({
        context,
        shop: shop!,
        environment: caller.tenant.environment,
        secret: caller.keyType === 'secret',
        path,
        search,
        base,
        found: host === null ? base : `${new URL(base).protocol}//${host}`,
        core: new Core(edge, context, caller),
      });
      return answer && recorded(context, answer);
    } catch (problem) {
      context.problem = problem;
      edge.log.error({ err: problem, request_id: context.requestId }, 'failed to answer an assistant request');
      return recorded(context, adapter.refuse(context, FAULT));
    }
  };

  const recorded = (context: RequestContext, response: Response): Response => {
    if (context.principal) edge.activity.note(context, response.status);
    return response;
  };

  return {
    underCode: async (context, { path, search }, peer) => {
      const [, code = '', rest = ''] = /^\/s\/([^/]+)(\/.*)?$/.exec(path) ?? [];
      return CODE.test(code) ? serve(context, code.toLowerCase(), rest, { search, peer, host: null }) : null;
    },
    atDomain: async (context, { path, search }, peer) => {
      const host = (context.request.headers.get('host') ?? '').toLowerCase().replace(/:\d+$/, '');
      return host.includes('.') ? serve(context, host, path, { search, peer, host }) : null;
    },
  };
};
