// Joins the resources of a publishable and of a secret key: together they are all that a secret key opens.
import { type ServerResources, serverResources } from '#proto/gen/client/server.ts';
import { type StorefrontResources, storefrontResources } from '#proto/gen/client/storefront.ts';
import type { ClientResource, RouteTree } from './resource.ts';

/** All that a secret key opens. */
export type ServerApi = StorefrontResources & ServerResources;

/** Every method of either tree. */
const mergeRoutes = (one: RouteTree | undefined, other: RouteTree | undefined): RouteTree | undefined => {
  if (typeof one !== 'object' || typeof other !== 'object') return other ?? one;
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      mergeRoutes(one[name], other[name]) ?? {},
    ]),
  );
};

type Parts = Readonly<Record<string, ClientResource<unknown>>>;

/** Every method of some trees. */
export const mergeResources = (...trees: readonly Parts[]): Parts =>
  Object.fromEntries(
    [...new Set(trees.flatMap((tree) => Object.keys(tree)))].map((name) => [
      name,
      { routes: trees.map((tree) => tree[name]?.routes).reduce(mergeRoutes, undefined) ?? {} },
    ]),
  );

/** A secret key opens what a publishable one does, and more. */
export const secretKeyResources = (): Parts => mergeResources(storefrontResources, serverResources);
