// Answers requests that match no endpoint or page: suggests the nearest path, lists the allowed methods, and answers
// CORS preflights.
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { NOT_FOUND, preflightResponse, refusalResponse } from './answer.ts';
import type { Edge } from './endpoint.ts';
import type { Principal } from './gates/principal.ts';
import { NearestPath } from './nearest.ts';
import { acceptsHtml, notFoundPage } from './pages/not_found_page.ts';
import type { RequestContext } from './request_context.ts';
import { checkTarget, targetOf } from './target.ts';

export interface NotFoundHandler {
  readonly notFound: (context: RequestContext) => Response;
  readonly respond: (context: RequestContext) => Response;
}

type PathEntry = Pick<Route, 'path' | 'verb'>;

export function createNotFoundHandler(pages: readonly PathEntry[]): NotFoundHandler {
  const table = [...routes, ...pages];
  const verbsOf = verbLookup(table);
  const endpointVerbsOf = verbLookup(routes);
  const nearest = new NearestPath(table.map(({ path }) => path));
  const notFound = (context: RequestContext): Response => {
    const near = nearest.find(targetOf(context.request.url).path);
    if (acceptsHtml(context.request)) return notFoundPage(context, near);
    const { code, message } = NOT_FOUND;
    const refusal = near === null ? NOT_FOUND : refuse(code, message, { details: `The nearest path is ${near}.` });
    const response = refusalResponse(context, refusal);
    response.headers.append('Vary', 'Accept');
    return response;
  };
  const respond = (context: RequestContext): Response => {
    const { request } = context;
    const targetRefusal = checkTarget(request);
    if (targetRefusal) return refusalResponse(context, targetRefusal);
    const { path } = targetOf(request.url);
    const verbs = verbsOf(path);
    // The path is known and allows the method, but the router rejected its spelling.
    if (verbs.length === 0 || verbs.includes(request.method)) return notFound(context);
    const asked = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (asked && endpointVerbsOf(path).length > 0) return preflightResponse(context, verbs);
    const allowed = verbs.join(', ');
    return refusalResponse(
      context,
      refuse('method_not_allowed', `This path does not take ${request.method}; send ${allowed}.`),
      { Allow: allowed },
    );
  };
  return { notFound, respond };
}

function verbLookup(table: readonly PathEntry[]): (path: string) => string[] {
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

export function recordNotFound(
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
  const cached = principals.cached(authorization);
  if (cached) return note(cached);
  return principals.resolve(authorization, context).then((found) => note(found instanceof Refusal ? null : found));
}
