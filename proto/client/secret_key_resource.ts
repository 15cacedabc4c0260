// Joins the resources of a publishable and of a secret key: together they are all that a secret key opens.
import { type ServerResources, serverResources } from '#proto/gen/client/server.ts';
import { type StorefrontResources, storefrontResources } from '#proto/gen/client/storefront.ts';
import type { ClientResource, RouteTree } from './resource.ts';

/** All that a secret key opens. */
export type ServerApi = StorefrontResources & ServerResources;

/** Every method of either tree. */
const mergeRoutes = (one: RouteTree | undefined, other: RouteTree | undefined): RouteTree => {
  if (typeof one !== 'object' || typeof other !== 'object') return other ?? one ?? {};
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      mergeRoutes(one[name], other[name]),
    ]),
  );
};

type Parts = Readonly<Record<string, ClientResource<unknown>>>;

/** Names of both trees, merged: a secret key opens what a publishable one does, and more. */
export const secretKeyResources = (): Parts => {
  const [shown, own]: readonly Parts[] = [storefrontResources, serverResources];
  return Object.fromEntries(
    Object.keys({ ...shown, ...own }).map((name) => [
      name,
      { routes: mergeRoutes(shown?.[name]?.routes, own?.[name]?.routes) },
    ]),
  );
};
