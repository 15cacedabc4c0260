// Makes a tree of methods of a tree of lines: `cart.items.add` calls what `{ items: { add: 'POST /v1/cart/items' } }` says.
import { Listing } from './listing.ts';
import type { CallOptions } from './method.ts';
import { type MethodArguments, type Route, readRoute } from './route.ts';

export type RouteTree = string | { readonly [name: string]: RouteTree };

/** A branch of the API: what its methods send, and as a type alone what they are. */
export interface ClientResource<Api> {
  readonly routes: RouteTree;
  readonly api?: Api;
}

/** Resources by name. */
export type Assembled<Parts> = {
  readonly [K in keyof Parts]: Parts[K] extends ClientResource<infer Api> ? Api : never;
};

/** Sends one request and answers its body. */
export type Send = (route: Route, args: MethodArguments, options: CallOptions) => Promise<unknown>;

const methodOf = (line: string, name: string, send: Send) => {
  let route: Route | undefined;
  return (args: MethodArguments = {}, options: CallOptions = {}): unknown => {
    route ??= readRoute(line, name);
    const { list } = route;
    const known = route;
    if (list === null) return send(route, args, options);
    const ask = (cursor: string | null): Promise<unknown> =>
      send(known, cursor === null ? args : { ...args, cursor }, options);
    return new Listing<unknown, never>(ask, list as never);
  };
};

const treeOf = (routes: RouteTree, name: string, send: Send): unknown =>
  typeof routes === 'string'
    ? methodOf(routes, name, send)
    : Object.fromEntries(
        Object.entries(routes).map(([below, child]) => [below, treeOf(child, `${name}.${below}`, send)]),
      );

/** The methods of some resources. The generator writes their types beside the routes. */
export const assemble = <Parts extends Readonly<Record<string, ClientResource<unknown>>>>(
  parts: Parts,
  send: Send,
): Assembled<Parts> =>
  Object.fromEntries(
    Object.entries(parts).map(([name, { routes }]) => [name, treeOf(routes, name, send)]),
  ) as Assembled<Parts>;
