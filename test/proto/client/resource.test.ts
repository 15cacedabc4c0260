// Every endpoint has its method, which sends what the route table asks for and from nowhere else.
import { describe, expect, it } from 'vitest';
import type { RouteTree } from '#proto/client/resource.ts';
import { encodeRequest, readRoute } from '#proto/client/route.ts';
import { operatorResources } from '#proto/gen/client/operator.ts';
import { serverResources } from '#proto/gen/client/server.ts';
import { staffSessionResources } from '#proto/gen/client/staff_session.ts';
import { storefrontResources } from '#proto/gen/client/storefront.ts';
import { examples } from '#proto/gen/openapi.ts';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';

const linesIn = (routes: RouteTree): string[] =>
  typeof routes === 'string' ? [routes] : Object.values(routes).flatMap(linesIn);
const linesOf = (resources: Readonly<Record<string, { readonly routes: RouteTree }>>): string[] =>
  Object.values(resources).flatMap((resource) => linesIn(resource.routes));
const nameOf = (line: string): string => line.split(' ').slice(0, 2).join(' ');
const endpointOf = ({ verb, path }: Route): string => `${verb} ${path.replace(/:(\w+)/g, '{$1}')}`;

const TREES = {
  storefront: linesOf(storefrontResources),
  server: linesOf(serverResources),
  operator: linesOf(operatorResources),
  staffSession: linesOf(staffSessionResources),
};
const known = new Map(routes.map((route) => [endpointOf(route), route]));
const accessOf = (lines: readonly string[]): string[] =>
  [...new Set(lines.map((line) => known.get(nameOf(line))!.access.key))].sort();

describe('methods', () => {
  it('offers a method for every endpoint but those that payment providers call', () => {
    const named = new Set(Object.values(TREES).flat().map(nameOf));
    expect([...known.keys()].filter((endpoint) => !named.has(endpoint))).toEqual([
      'POST /v1/payments/callbacks/{provider}/{store_id}/{environment}',
    ]);
    expect([...named].filter((endpoint) => !known.has(endpoint))).toEqual([]);
  });

  it('offers a storefront the methods that a publishable key opens', () => {
    expect(accessOf(TREES.storefront)).toEqual(['none', 'publishable']);
    expect(accessOf(TREES.server)).toEqual(['secret', 'secret_test']);
    expect(accessOf(TREES.staffSession)).toEqual(['none', 'staff']);
  });
});

/** The body of the documentation's example. */
const exampleOf = ({ operation }: Route): Readonly<Record<string, unknown>> => {
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI operation as it comes
  const json = (operation as any).requestBody?.content['application/json'];
  const ref: string | undefined = json?.examples?.example.$ref;
  return ref ? ((examples[ref.replace(/.*\//, '')] as { value: Record<string, unknown> }).value ?? {}) : {};
};

describe.each(Object.values(TREES).flat())('%s', (line) => {
  it('writes path, query, body and headers as the endpoint reads them', () => {
    const route = known.get(nameOf(line))!;
    const method = readRoute(line, '');
    expect([method.writes, method.signed, method.keyless]).toEqual([
      route.writes,
      route.access.signed,
      route.access.key === 'none',
    ]);
    const body = exampleOf(route);
    const params = Object.fromEntries(route.params.map(({ name }) => [name, `a/b ${name}`]));
    const query = route.body ? {} : Object.fromEntries(route.query.map(({ name }) => [name, 'x']));
    const written = encodeRequest(method, { ...body, ...query, ...params });
    const [path, search = ''] = written.path.split('?');
    const wanted = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(`a/b ${name}`));
    expect(path).toBe(wanted);
    expect([...new URLSearchParams(search).keys()].sort()).toEqual(Object.keys(query).sort());
    const sent = { ...body };
    for (const name of [...Object.keys(params), ...Object.keys(method.headers)]) delete sent[name];
    expect(method.sendsFile).toBe(route.file_name !== undefined);
    expect(written.body === null ? null : JSON.parse(written.body)).toEqual(
      route.body && !method.sendsFile ? sent : null,
    );
  });
});

describe('a path', () => {
  it.each([undefined, null, '', '.', '..', {}])('refuses %s as a part', (id) => {
    expect(() => encodeRequest(readRoute('GET /v1/products/{id}', ''), { id })).toThrow(
      'GET /v1/products/{id} needs id.',
    );
  });
});
