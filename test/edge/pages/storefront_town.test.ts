// The towns of a country, which shops at every address may read.
import { beforeAll, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('serves the towns of a country to all origins', async () => {
  const answer = await fetch(`${stoa.url}/shop/towns/KE.json`);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const { towns } = (await answer.json()) as { towns: readonly unknown[] };
  expect(towns[0]).toEqual(['Nairobi', expect.closeTo(-1.28, 1), expect.closeTo(36.82, 1), expect.any(Number)]);
  expect(await (await fetch(`${stoa.url}/shop/towns/BV.json`)).text()).toBe('{"country":"BV","towns":[]}');
  for (const name of ['XX.json', 'ke.json', 'KE', '..%2fKE.json'])
    expect((await fetch(`${stoa.url}/shop/towns/${name}`)).status).toBe(404);
});
