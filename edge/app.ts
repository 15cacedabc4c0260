// Builds the HTTP server: one Elysia route per row of the route table, the edge's own pages, and a 404 for all other
// paths.
import type { Server } from 'bun';
import { Elysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { refuse } from '#runtime/call/call.ts';
import { isConsoleRpc, isLongPoll } from './activity.ts';
import { refusalResponse } from './answer.ts';
import {
  ALL_VERBS,
  type AssistantRouter,
  CODE_PATHS,
  createAssistantRouter,
  DOMAIN_PATHS,
} from './assistant/router.ts';
import { compressed } from './compression.ts';
import type { Edge, Params } from './endpoint.ts';
import { requestIdOf } from './gates/request_id.ts';
import { setSessionCookie } from './gates/staff_session.ts';
import { measurer } from './measure.ts';
import type { OwnAnswers } from './meta.ts';
import { createNotFoundHandler, recordNotFound } from './not_found.ts';
import { pageRoutes, type Respond } from './pages/page_route.ts';
import { Pipeline } from './pipeline.ts';
import { RequestContext } from './request_context.ts';
import { beginSpan, endSpan } from './request_span.ts';
import { checkHead, checkTarget, pathMatcher, targetOf } from './target.ts';

type AnyServer = Server<unknown> | null;

interface RoutedRequest {
  readonly request: Request;
  readonly params: Params | undefined;
}

const NO_PARAMS: Params = {};

export interface AppContext {
  readonly publicUrl: () => string;
  readonly demoFile: string;
  readonly demoPictures: string;
}

const STANDALONE: AppContext = { publicUrl: () => 'http://127.0.0.1', demoFile: '', demoPictures: '' };

/** Creates the app, and `warm`, which compiles the validators one by one before the first requests need them. */
export function createApp(edge: Edge, own: OwnAnswers, appContext: AppContext = STANDALONE) {
  const pipelines: Pipeline[] = [];
  const app = new Elysia({ normalize: false, precompile: true, strictPath: true });
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
  const answerFault = (context: RequestContext, problem: unknown): Response => {
    context.problem = problem;
    edge.log.error({ err: problem, request_id: context.requestId }, 'failed to answer a request');
    return refusalResponse(context, refuse('server_error', 'An internal error occurred.'));
  };
  const peerOf = (request: Request): string => (app.server as AnyServer)?.requestIP(request)?.address ?? '';
  const clientOf = (request: Request): string =>
    edge.addresses.client(peerOf(request), request.headers.get('x-forwarded-for'));

  const pages = pageRoutes({ ...appContext, wire: edge.wire, clientOf });
  const notFoundHandler = createNotFoundHandler(
    pages.flatMap(({ path, verbs }) => verbs.map((verb) => ({ path, verb }))),
  );

  const endpoint = (route: Route): void => {
    const pipeline = new Pipeline(route, edge, appContext.publicUrl);
    pipelines.push(pipeline);
    const measure = measurer(route);
    const { activity } = edge;
    const mayWait = route.query.some(({ name }) => name === 'wait_seconds');
    const isConsole = isConsoleRpc(route.rpc);
    const finish = (context: RequestContext, response: Response): Response => end(context, route.path, response);
    const recordAndFinish = (context: RequestContext, response: Response): Response => {
      setSessionCookie(context, route, response, appContext.publicUrl);
      if (!isConsole) activity.note(context, response.status, mayWait && isLongPoll(context.request.url));
      return finish(context, measure(context, response));
    };
    const answerItself = own[route.rpc];
    const isOwnPath = pathMatcher(route);
    const { view } = route;
    const handle = ({ request, params = NO_PARAMS }: RoutedRequest): Response | Promise<Response> => {
      const context = begin(request, route.path);
      const headRefusal = checkHead(request);
      if (headRefusal) return finish(context, refusalResponse(context, headRefusal));
      const target = targetOf(request.url);
      if (!isOwnPath(target.path)) return finish(context, notFoundHandler.notFound(context));
      const answer = answerItself?.(context) ?? pipeline.serve(context, target, params, () => peerOf(request));
      const answered = (response: Response): Response => {
        if (view)
          edge.views.note(view, params.slug ?? '', target.search, context, response.status, () => clientOf(request));
        return recordAndFinish(context, response);
      };
      if (!(answer instanceof Promise)) return answered(answer);
      return answer.then(answered, (problem: unknown) => recordAndFinish(context, answerFault(context, problem)));
    };
    // Elysia reads a handler's source and awaits the handler if it returns a call. A bound function hides its source.
    const answer = handle.bind(null);
    const parse = route.verb === 'GET' ? {} : { parse: 'none' as const };
    app.route(route.verb, route.path, answer, { ...parse, detail: route.operation });
    if (route.verb === 'GET') app.route('HEAD', route.path, answer, { detail: { hide: true } });
  };
  for (const route of routes) endpoint(route);

  const page = (path: string, respond: Respond, verbs: readonly string[]): void => {
    const answer = async ({ request, params = NO_PARAMS }: RoutedRequest): Promise<Response> => {
      const context = begin(request, path);
      const targetRefusal = checkTarget(request);
      if (targetRefusal) return end(context, path, refusalResponse(context, targetRefusal));
      try {
        return end(
          context,
          path,
          await compressed(request, (await respond(context, params)) ?? notFoundHandler.respond(context)),
        );
      } catch (problem) {
        return end(context, path, answerFault(context, problem));
      }
    };
    for (const verb of verbs) app.route(verb, path, answer.bind(null), { parse: 'none', detail: { hide: true } });
  };
  const assistants = createAssistantRouter(edge, appContext.publicUrl);
  const assistantPage =
    (serve: AssistantRouter['underCode']): Respond =>
    (context) =>
      serve(context, targetOf(context.request.url), () => peerOf(context.request));
  for (const path of CODE_PATHS) page(path, assistantPage(assistants.underCode), ALL_VERBS);
  for (const path of DOMAIN_PATHS) page(path, assistantPage(assistants.atDomain), ALL_VERBS);
  for (const { path, respond, verbs } of pages) page(path, respond, verbs.includes('GET') ? [...verbs, 'HEAD'] : verbs);

  app.all(
    '/*',
    async ({ request }) => {
      const context = begin(request, null);
      return end(context, null, await recordNotFound(edge, context, notFoundHandler.respond(context)));
    },
    { parse: 'none', detail: { hide: true } },
  );
  app.onError(({ request, code, error }) => {
    const context = begin(request, null);
    return end(context, null, code === 'NOT_FOUND' ? notFoundHandler.notFound(context) : answerFault(context, error));
  });
  const warm = async (): Promise<void> => {
    for (const pipeline of pipelines) {
      pipeline.warm();
      await Bun.sleep(0);
    }
  };
  return { app, warm };
}
