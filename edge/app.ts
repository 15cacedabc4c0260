// The HTTP server: Elysia with one route a row of the route table, the edge's own pages, and everything else refused.
import type { Server } from 'bun';
import { Elysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { refuse } from '#runtime/call/call.ts';
import { isOwn, waits } from './activity.ts';
import { refusalResponse } from './answer.ts';
import { ALL_VERBS, type Assistants, AT_DOMAINS, openAssistants, UNDER_CODE } from './assistant/way.ts';
import { compressed } from './compression.ts';
import type { Edge } from './endpoint.ts';
import { requestIdOf } from './gates/request_id.ts';
import { noteLost, openLost } from './lost.ts';
import { measurer } from './measure.ts';
import type { OwnAnswers } from './meta.ts';
import { ownPages, type Respond } from './pages/own_page.ts';
import { Pipeline } from './pipeline.ts';
import { RequestContext } from './request_context.ts';
import { beginSpan, endSpan } from './request_span.ts';
import { misaddressed, misframedHead, pathCheck, targetOf } from './target.ts';

type AnyServer = Server<unknown> | null;

interface Asked {
  readonly request: Request;
  readonly params: Record<string, string>;
}

export interface AppContext {
  /** The address under which callers reach this edge. */
  readonly publicUrl: () => string;
  /** Where the demo's keys are kept; empty where there is no demo. */
  readonly demoFile: string;
  readonly demoPictures: string;
}

const ALONE: AppContext = { publicUrl: () => 'http://127.0.0.1', demoFile: '', demoPictures: '' };

/** The app, and how to make ready what the first requests need, a little at a time. */
export function createApp(edge: Edge, own: OwnAnswers, surroundings: AppContext = ALONE) {
  const pipelines: Pipeline[] = [];
  const app = new Elysia({ normalize: false, precompile: true, strictPath: true });
  /** `endpoint` is the path as a route has it; null where it is none. */
  const begin = (request: Request, endpoint: string | null): RequestContext => {
    const context = new RequestContext(request, requestIdOf(request.headers.get('x-request-id')));
    beginSpan(context, endpoint);
    return context;
  };
  const end = (context: RequestContext, endpoint: string | null, response: Response): Response => {
    if (context.span) endSpan(context, response);
    edge.accessLog?.note(context, endpoint, response.status, () => clientOf(context.request));
    return response;
  };
  const fault = (context: RequestContext, problem: unknown): Response => {
    context.problem = problem;
    edge.log.error({ err: problem, request_id: context.requestId }, 'fault');
    return refusalResponse(context, refuse('server_error', 'An internal error occurred.'));
  };
  const peerOf = (request: Request): string => (app.server as AnyServer)?.requestIP(request)?.address ?? '';
  const clientOf = (request: Request): string =>
    edge.addresses.client(peerOf(request), request.headers.get('x-forwarded-for'));

  const pages = ownPages({ ...surroundings, wire: edge.wire, clientOf });
  const lost = openLost(pages.flatMap(({ path, verbs }) => verbs.map((verb) => ({ path, verb }))));

  const endpoint = (route: Route): void => {
    const pipeline = new Pipeline(route, edge);
    pipelines.push(pipeline);
    const measure = measurer(route);
    const { activity } = edge;
    const mayWait = route.query.some(({ name }) => name === 'wait_seconds');
    const silent = isOwn(route.rpc);
    const leave = (context: RequestContext, response: Response): Response => end(context, route.path, response);
    const measured = (context: RequestContext, response: Response): Response => {
      if (!silent) activity.note(context, response.status, mayWait && waits(context.request.url));
      return leave(context, measure(context, response));
    };
    const answerItself = own[route.rpc];
    const isAt = pathCheck(route);
    const { view } = route;
    const handle = ({ request, params }: Asked): Response | Promise<Response> => {
      const context = begin(request, route.path);
      const misframed = misframedHead(request);
      if (misframed) return leave(context, refusalResponse(context, misframed));
      const target = targetOf(request.url);
      if (!isAt(target.path)) return leave(context, lost.notFound(context));
      const answer = answerItself?.(context) ?? pipeline.serve(context, target, params, () => peerOf(request));
      const answered = (response: Response): Response => {
        if (view)
          edge.views.note(view, params.slug ?? '', target.search, context, response.status, () => clientOf(request));
        return measured(context, response);
      };
      if (!(answer instanceof Promise)) return answered(answer);
      return answer.then(answered, (problem: unknown) => measured(context, fault(context, problem)));
    };
    // Elysia reads a handler's text and awaits, in every request, one that returns a call. A bound one has no text.
    const answer = handle.bind(null);
    const parse = route.verb === 'GET' ? {} : { parse: 'none' as const };
    app.route(route.verb, route.path, answer, { ...parse, detail: route.operation });
    if (route.verb === 'GET') app.route('HEAD', route.path, answer, { detail: { hide: true } });
  };
  for (const route of routes) endpoint(route);

  const page = (path: string, respond: Respond, verbs: readonly string[]): void => {
    const answer = async ({ request, params }: Asked): Promise<Response> => {
      const context = begin(request, path);
      const astray = misaddressed(request);
      if (astray) return end(context, path, refusalResponse(context, astray));
      try {
        return end(context, path, await compressed(request, (await respond(context, params)) ?? lost.respond(context)));
      } catch (problem) {
        return end(context, path, fault(context, problem));
      }
    };
    for (const verb of verbs) app.route(verb, path, answer.bind(null), { parse: 'none', detail: { hide: true } });
  };
  const assistants = openAssistants(edge, surroundings.publicUrl);
  const assisted =
    (serve: Assistants['underCode']): Respond =>
    (context) =>
      serve(context, targetOf(context.request.url), () => peerOf(context.request));
  for (const path of UNDER_CODE) page(path, assisted(assistants.underCode), ALL_VERBS);
  for (const path of AT_DOMAINS) page(path, assisted(assistants.atDomain), ALL_VERBS);
  for (const { path, respond, verbs } of pages) page(path, respond, verbs.includes('GET') ? [...verbs, 'HEAD'] : verbs);

  app.all(
    '/*',
    async ({ request }) => {
      const context = begin(request, null);
      return end(context, null, await noteLost(edge, context, lost.respond(context)));
    },
    { parse: 'none', detail: { hide: true } },
  );
  app.onError(({ request, code, error }) => {
    const context = begin(request, null);
    return end(context, null, code === 'NOT_FOUND' ? lost.notFound(context) : fault(context, error));
  });
  const warm = async (): Promise<void> => {
    for (const pipeline of pipelines) {
      pipeline.warm();
      await Bun.sleep(0);
    }
  };
  return { app, warm };
}
