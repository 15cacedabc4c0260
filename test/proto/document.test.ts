// The OpenAPI document as a whole: valid, complete, and without a reference that leads nowhere.
import { Validator } from '@seriousme/openapi-schema-validator';
import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { openapiDocument } from '#proto/document.ts';
import { examples } from '#proto/gen/openapi.ts';
import { routes } from '#proto/gen/routes.ts';
import { explain } from '#proto/validate.ts';

const document = openapiDocument('https://api.example.com');

/** The example that a part of an operation refers to. */
const exampleIn = (part: unknown): unknown => {
  const name = /"#\/components\/examples\/(\w+)"/.exec(JSON.stringify(part ?? null))?.[1];
  return name === undefined ? undefined : examples[name]?.value;
};

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
  });

  it('has every endpoint once', () => {
    const paths = document.paths as Record<string, Record<string, unknown>>;
    const documented = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb} ${path}`),
    );
    expect(documented.sort()).toEqual(
      routes.map(({ verb, path }) => `${verb.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
    );
  });

  it('has no reference that leads nowhere', () => {
    const lost: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === 'string') {
        const found = $ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
        if (found === undefined) lost.push($ref);
      }
      for (const inner of Object.values(value)) walk(inner);
    };
    walk(document);
    expect(lost).toEqual([]);
  });

  it.each(routes.map((route) => [route.rpc, route] as const))(
    'shows an answer of %s that keeps its schema',
    (_, route) => {
      const answer = exampleIn(route.operation.responses);
      if (route.produces === 'application/json') expect(explain(route.response, answer)).toBeNull();
      else expect(answer).toBeUndefined();
    },
  );

  it.each(routes.filter((route) => exampleIn(route.operation.requestBody)).map((route) => [route.rpc, route] as const))(
    'shows a request of %s that would be accepted',
    (_, route) => {
      const inUrl = [...route.params, ...route.query].map(({ name }) => name);
      const properties = Object.entries(route.request.properties as Record<string, TSchema>);
      const body = Type.Object(Object.fromEntries(properties.filter(([name]) => !inUrl.includes(name))));
      expect(explain(body, exampleIn(route.operation.requestBody))).toBeNull();
    },
  );

  it('names each operation differently', () => {
    const ids = routes.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('serves from the address it is asked at', () =>
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }]));
});
