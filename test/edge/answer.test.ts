// Answers that services hand over as text, over a real socket: the same bytes as if they had been made of it beforehand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UncachedResponses } from '#edge/answer.ts';
import { RequestContext } from '#edge/request_context.ts';
import { routes } from '#proto/gen/routes.ts';
import type { Answer } from '#runtime/link/frame.ts';

const ROUTE = routes.find(({ path }) => path === '/v1/shipping/calculate')!;
const encoder = new TextEncoder();

const texts = {
  short: JSON.stringify({ name: 'Nairobi' }),
  'of one byte a letter beyond ASCII': JSON.stringify({ name: 'Café Zürich' }),
  'of three and four bytes a letter': JSON.stringify({ name: '東京 🍵' }),
  'long, of three bytes a letter': JSON.stringify({ name: '茶'.repeat(5_400) }),
  'too long for a text': JSON.stringify({ name: '茶'.repeat(100_000) }),
};
type Name = keyof typeof texts;

const answerOf = (text: string): Answer => ({
  text,
  get body() {
    return encoder.encode(text);
  },
  dependsOn: [],
  replayed: false,
  refused: null,
});

let server: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  const written = new UncachedResponses(ROUTE);
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      const context = new RequestContext(request, 'r-1');
      await Bun.sleep(1);
      context.isAsync = true;
      return written.response(context, answerOf(texts[new URL(request.url).searchParams.get('name') as Name]));
    },
  });
});
afterAll(() => server.stop(true));

describe('an answer that is text', () => {
  it.each(Object.keys(texts) as Name[])('arrives whole: %s', async (name) => {
    const response = await fetch(`${server.url}?name=${encodeURIComponent(name)}`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-request-id')).toBe('r-1');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(encoder.encode(texts[name]));
  });
});
