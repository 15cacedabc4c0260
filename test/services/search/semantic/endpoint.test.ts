// An embedding service: requests, and invalid responses.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddingEndpoint, EmbeddingFailure } from '#services/search/semantic/endpoint.ts';
import { openStandIn, type StandIn, vectorOf } from './stand_in.ts';

let standIn: StandIn;
let endpoint: EmbeddingEndpoint;
beforeAll(async () => {
  standIn = await openStandIn();
});
afterAll(() => standIn.close());
beforeEach(() => {
  standIn.behaviour = 'answer';
  standIn.asked.length = 0;
  endpoint = new EmbeddingEndpoint({ url: standIn.url, model: 'small', apiKey: 'sesame', queryTimeoutMs: 10_000 });
});

describe('an embedding service', () => {
  test('receives the OpenAI request, and returns a vector per text in order', async () => {
    const texts = ['a red sofa', 'a long kettle', ''];
    const vectors = await endpoint.embed(texts);
    const expected = [vectorOf('a red sofa'), vectorOf('a long kettle'), vectorOf('-')];
    expect(vectors).toEqual(expected.map((vector) => Float32Array.from(vector)));
    expect(standIn.asked).toEqual([
      {
        model: 'small',
        input: ['a red sofa', 'a long kettle', '-'],
        authorization: 'Bearer sesame',
        path: '/v1/embeddings',
      },
    ]);
  });

  test('receives no more than its bounds', async () => {
    await endpoint.embed(['x'.repeat(1_000_000)]);
    expect(standIn.asked[0]!.input[0]!.length).toBe(1_500);
    await expect(endpoint.embed(Array.from({ length: 65 }, () => 'x'))).rejects.toThrow(RangeError);
  });

  test.each(['fail', 'lie', 'hang'] as const)('counts %s as a failure', async (behaviour) => {
    standIn.behaviour = behaviour;
    await expect(endpoint.embed(['x'], 200)).rejects.toThrow(EmbeddingFailure);
  });

  test('counts a missing listener as a failure', async () => {
    const nowhere = new EmbeddingEndpoint({
      url: 'http://127.0.0.1:1/v1',
      model: 'm',
      apiKey: null,
      queryTimeoutMs: 1,
    });
    await expect(nowhere.embed(['x'])).rejects.toThrow(EmbeddingFailure);
  });
});
