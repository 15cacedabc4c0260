// The HTTP door: Elysia with one route a row of the route table, documentation, and everything else refused.
import type { Server } from 'bun';
import { Elysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { TRIAL_CHANNEL_PATH } from '#values/trial_channel.ts';
import { isOwn, waits } from './activity.ts';
import { NOT_FOUND, preflightResponse, refusalResponse } from './answer.ts';
import { ALL_VERBS, type Assistants, AT_DOMAINS, openAssistants, UNDER_CODE } from './assistant/way.ts';
import { compressed } from './compression.ts';
import type { Edge, UrlParts } from './endpoint.ts';
import type { Principal } from './gates/principal.ts';
import { requestIdOf } from './gates/request_id.ts';
import { measurer } from './measure.ts';
import type { OwnAnswers } from './meta.ts';
import { NearestPath } from './nearest.ts';
import { connectPage } from './pages/connect.ts';
import { consoleFiles } from './pages/console.ts';
import { documentationAsset, documentationPage, specificationFile } from './pages/documentation.ts';
import { guideFiles } from './pages/guide.ts';
import { OUTBOX_PATH, outboxPage } from './pages/outbox.ts';
import { payPage } from './pages/pay.ts';
import { picture } from './pages/picture.ts';
import { storefrontFiles } from './pages/storefront.ts';
import { storefrontServer } from './pages/storefront_server.ts';
import { storefrontTowns } from './pages/storefront_town.ts';
import { openTrialChannel } from './pages/trial_channel.ts';
import { Pipeline } from './pipeline.ts';
import { RequestContext } from './request_context.ts';
import { beginSpan, endSpan } from './request_span.ts';

type AnyServer = Server<unknown> | null;

interface Asked {
  readonly request: Request;
  readonly params: Record<string, string>;
}

/** Null: there is no such thing. */
type Respond = (context: RequestContext, params: Record<string, string>) => Response | null | Promise<Response | null>;

function targetOf(url: string): UrlParts {
  const start = url.indexOf('/', 8);
  const query = url.indexOf('?', start);
  if (query < 0) return { path: url.slice(start), search: '' };
  return { path: url.slice(start, query), search: url.slice(query + 1) };
}

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const BAD_HOST = refuse('invalid_request', 'The request must name exactly one host.', { param: 'Host' });
const BAD_PATH = refuse('invalid_request', 'The path must not hold NUL.');

/**
 * A request that names two hosts, or none, could be meant for another host. One that is no host's name would take a
 * part in the URL that all else is read from: with `Host: h#` Bun says `/path` alone where it says `http://host/path`.
 */
const wellAddressed = ({ headers, url }: Request): boolean =>
  HOST.test(headers.get('host') ?? '') && url.startsWith('http');

/** What is wrong with where a request goes that no endpoint's key guards; an endpoint reads its path after its key. */
function misaddressed(request: Request): Refusal | null {
  if (!wellAddressed(request)) return BAD_HOST;
  return targetOf(request.url).path.includes('%00') ? BAD_PATH : null;
}

export interface AppContext {
  /** Who is behind a connection of this machine's own, by its port; undefined where nothing stands between. */
  readonly addressOf: (port: number) => string | undefined;
  /** The address under which callers reach this edge. */
  readonly publicUrl: () => string;
  /** Where the demo's keys are kept; empty where there is no demo. */
  readonly demoFile: string;
}

const ALONE: AppContext = { addressOf: () => undefined, publicUrl: () => 'http://127.0.0.1', demoFile: '' };

/** The app, and how to make ready what the first requests need, a little at a time. */
export function createApp(edge: Edge, own: OwnAnswers, { addressOf, publicUrl, demoFile }: AppContext = ALONE) {
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
  const peerOf = (request: Request): string => {
    const peer = (app.server as AnyServer)?.requestIP(request);
    return peer ? (addressOf(peer.port) ?? peer.address) : '';
  };
  const clientOf = (request: Request): string =>
    edge.addresses.client(peerOf(request), request.headers.get('x-forwarded-for'));

  for (const route of routes) {
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
      if (!wellAddressed(request)) return leave(context, refusalResponse(context, BAD_HOST));
      const target = targetOf(request.url);
      if (!isAt(target.path)) return leave(context, notFound(context));
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
  }

  /** A page of the edge's own: its path with what it names, and how it is answered. */
  const page = (path: string, respond: Respond, verbs: readonly string[] = ['GET', 'HEAD']): void => {
    const answer = async ({ request, params }: Asked): Promise<Response> => {
      const context = begin(request, path);
      const astray = misaddressed(request);
      if (astray) return end(context, path, refusalResponse(context, astray));
      try {
        return end(context, path, await compressed(request, (await respond(context, params)) ?? lost(context)));
      } catch (problem) {
        return end(context, path, fault(context, problem));
      }
    };
    for (const verb of verbs) app.route(verb, path, answer.bind(null), { parse: 'none', detail: { hide: true } });
  };
  const assistants = openAssistants(edge, publicUrl);
  const assisted =
    (serve: Assistants['underCode']): Respond =>
    (context) =>
      serve(context, targetOf(context.request.url), () => peerOf(context.request));
  for (const path of UNDER_CODE) page(path, assisted(assistants.underCode), ALL_VERBS);
  for (const path of AT_DOMAINS) page(path, assisted(assistants.atDomain), ALL_VERBS);
  const pay = payPage(edge.wire);
  const connect = connectPage(edge.wire);
  const files = [...consoleFiles(), ...guideFiles(), ...storefrontFiles(demoFile)];
  page('/demo/pictures/:name', (_, { name = '' }) => picture(name));
  page('/pay/:reference', (context, { reference = '' }) => pay(context, reference), ['GET', 'HEAD', 'POST']);
  page('/connect/:ticket', (context, { ticket = '' }) => connect(context, ticket), ['GET', 'HEAD', 'POST']);
  page(OUTBOX_PATH, outboxPage);
  page(TRIAL_CHANNEL_PATH, openTrialChannel(), ['POST']);
  page('/openapi.json', specificationFile);
  page('/docs', documentationPage);
  page('/docs/:file', (context, { file = '' }) => documentationAsset(context, file));
  const ofShop = storefrontServer(demoFile, publicUrl, clientOf);
  page('/shop/server/:what', (context, { what = '' }) => ofShop(context, what), ['POST']);
  const towns = storefrontTowns();
  page('/shop/towns/:file', (context, { file = '' }) => towns(context, file));
  for (const { path, respond } of files) page(path, respond);

  const table = [...routes, ...OWN_PAGES, ...files.map(({ path }) => ({ path, verb: 'GET' as const }))];
  const known = knownPaths(table);
  const knownToScripts = knownPaths(routes);
  const nearest = new NearestPath(table.map(({ path }) => path));
  const notFound = (context: RequestContext): Response => {
    const near = nearest.to(targetOf(context.request.url).path);
    return refusalResponse(
      context,
      near === null
        ? NOT_FOUND
        : refuse(NOT_FOUND.code, NOT_FOUND.message, { details: `The nearest path is ${near}.` }),
    );
  };
  const lost = (context: RequestContext): Response => {
    const { request } = context;
    const astray = misaddressed(request);
    if (astray) return refusalResponse(context, astray);
    const verbs = known(targetOf(request.url).path);
    // One of its own verbs did not get there: the path was spelt in a way that the router does not know.
    if (verbs.length === 0 || verbs.includes(request.method)) return notFound(context);
    // Pages are for people: no script of another site presses their buttons.
    const asked = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (asked && knownToScripts(targetOf(request.url).path).length > 0) return preflightResponse(context, verbs);
    return refusalResponse(context, refuse('method_not_allowed', `This path takes ${verbs.join(', ')}.`), {
      Allow: verbs.join(', '),
    });
  };
  app.all(
    '/*',
    async ({ request }) => {
      const context = begin(request, null);
      return end(context, null, await noteLost(edge, context, lost(context)));
    },
    { parse: 'none', detail: { hide: true } },
  );
  app.onError(({ request, code, error }) => {
    const context = begin(request, null);
    return end(context, null, code === 'NOT_FOUND' ? notFound(context) : fault(context, error));
  });
  const warm = async (): Promise<void> => {
    for (const pipeline of pipelines) {
      pipeline.warm();
      await Bun.sleep(0);
    }
  };
  return { app, warm };
}

/** A store sees its own requests for paths that are none; without a key there is no store to see them. */
function noteLost(
  { principals, activity }: Edge,
  context: RequestContext,
  response: Response,
): Response | Promise<Response> {
  const authorization = context.request.headers.get('authorization');
  if (authorization === null) return response;
  const note = (principal: Principal | null): Response => {
    context.principal = principal;
    activity.note(context, response.status);
    return response;
  };
  const known = principals.known(authorization);
  if (known) return note(known);
  return principals.resolve(authorization, context).then((found) => note(found instanceof Refusal ? null : found));
}

/**
 * Whether a path is the route's own. Where the host is short Elysia looks for it too far to the right, and takes
 * `/x/v1/store` for `/v1/store`.
 */
function pathCheck({ path: own }: Route): (path: string) => boolean {
  const parameter = own.indexOf(':');
  if (parameter < 0) return (path) => path === own;
  const fixed = own.slice(0, parameter);
  return (path) => path.startsWith(fixed);
}

const OWN_PAGES = [
  { path: '/docs', verb: 'GET' },
  { path: '/openapi.json', verb: 'GET' },
  { path: OUTBOX_PATH, verb: 'GET' },
  { path: TRIAL_CHANNEL_PATH, verb: 'POST' },
  { path: '/connect/:ticket', verb: 'GET' },
  { path: '/connect/:ticket', verb: 'POST' },
  { path: '/pay/:reference', verb: 'GET' },
  { path: '/pay/:reference', verb: 'POST' },
] as const;

/** The verbs of a concrete path, empty where no endpoint has it. */
function knownPaths(table: readonly Pick<Route, 'path' | 'verb'>[]): (path: string) => string[] {
  const patterns = new Map<string, { readonly pattern: RegExp; readonly verbs: string[] }>();
  for (const { path, verb } of table) {
    let entry = patterns.get(path);
    if (!entry) {
      entry = { pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`), verbs: [] };
      patterns.set(path, entry);
    }
    entry.verbs.push(...(verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
  }
  return (path) => [
    ...new Set([...patterns.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ verbs }) => verbs)),
  ];
}
