// Answers the reference requests in the same process as the edge, as the measure for its endpoints.
//   A: sends a constant of any size, without gates.
//   B: reads and validates the body like an endpoint, then sends a constant; without key, limits and call to services.
import { Elysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import { compile } from '#proto/validate.ts';
import { parseStrict } from '#values/json.ts';

const JSON_HEADERS = { headers: { 'Content-Type': 'application/json' } } as const;

const constants = new Map<string, Uint8Array>();
const constantOf = (bytes: string): Uint8Array => {
  let constant = constants.get(bytes);
  if (!constant) {
    constant = new TextEncoder().encode(JSON.stringify({ constant: 'x'.repeat(Math.max(0, Number(bytes) - 15)) }));
    constants.set(bytes, constant);
  }
  return constant;
};

const answer = (bytes: string): Response => new Response(constantOf(bytes) as never, JSON_HEADERS);

/** Validators by the path of their POST. */
const validators = new Map(
  routes.filter(({ verb }) => verb === 'POST').map((route) => [route.path.slice(1), compile(route)]),
);

export const constantPath = (bytes: number): string => `/bench/constant/${bytes}`;
export const checkedPath = (path: string, bytes: number): string => `/bench/checked/${bytes}${path}`;

export const references = new Elysia()
  .get('/bench/constant/:bytes', ({ params }) => answer(params.bytes))
  .post(
    '/bench/checked/:bytes/*',
    async ({ request, params }) => {
      const read = parseStrict(new Uint8Array(await request.arrayBuffer()));
      const verdict = read.ok ? validators.get(params['*'])?.(read.value) : undefined;
      return verdict?.ok ? answer(params.bytes) : new Response('not as the endpoint wants it', { status: 400 });
    },
    { parse: 'none' },
  );
