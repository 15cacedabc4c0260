// Requests that lead to no endpoint and no page: what is near, which verbs the path takes, and a script's question before
// its call.
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { NOT_FOUND, preflightResponse, refusalResponse } from './answer.ts';
import type { Edge } from './endpoint.ts';
import type { Principal } from './gates/principal.ts';
import { NearestPath } from './nearest.ts';
import { lostPage, wantsPage } from './pages/lost.ts';
import type { RequestContext } from './request_context.ts';
import { misaddressed, targetOf } from './target.ts';

export interface Lost {
  /** Of a path that is none. */
  readonly notFound: (context: RequestContext) => Response;
  /** Of whatever led nowhere. */
  readonly respond: (context: RequestContext) => Response;
}

type PathEntry = Pick<Route, 'path' | 'verb'>;

/** `pages`: the paths that the edge has beside its endpoints. */
export function openLost(pages: readonly PathEntry[]): Lost {
  const table = [...routes, ...pages];
  const known = knownPaths(table);
  const knownToScripts = knownPaths(routes);
  const nearest = new NearestPath(table.map(({ path }) => path));
  const notFound = (context: RequestContext): Response => {
    const near = nearest.to(targetOf(context.request.url).path);
    if (wantsPage(context.request)) return lostPage(context, near);
    const { code, message } = NOT_FOUND;
    const told = near === null ? NOT_FOUND : refuse(code, message, { details: `The nearest path is ${near}.` });
    const response = refusalResponse(context, told);
    response.headers.append('Vary', 'Accept');
    return response;
  };
  const respond = (context: RequestContext): Response => {
    const { request } = context;
    const astray = misaddressed(request);
    if (astray) return refusalResponse(context, astray);
    const { path } = targetOf(request.url);
    const verbs = known(path);
    // One of its own verbs did not get there: the path was spelt in a way that the router does not know.
    if (verbs.length === 0 || verbs.includes(request.method)) return notFound(context);
    // Pages are for people: no script of another site presses their buttons.
    const asked = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (asked && knownToScripts(path).length > 0) return preflightResponse(context, verbs);
    const allowed = verbs.join(', ');
    return refusalResponse(context, refuse('method_not_allowed', `This path takes ${allowed}.`), { Allow: allowed });
  };
  return { notFound, respond };
}

/** The verbs of a concrete path, empty where no endpoint has it. */
function knownPaths(table: readonly PathEntry[]): (path: string) => string[] {
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

/** A store sees its own requests for paths that are none; without a key there is no store to see them. */
export function noteLost(
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
  const known = principals.cached(authorization);
  if (known) return note(known);
  return principals.resolve(authorization, context).then((found) => note(found instanceof Refusal ? null : found));
}
