// The pictures of a folder are served by the names of its files, and nothing else is.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPictures } from '#edge/pages/demo_picture.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const picture = openPictures(DEMO_PICTURES);

describe('an edge', () => {
  const systems: Stoa[] = [];
  const start = async (demoPictures?: string): Promise<Stoa> => {
    const stoa = await startStoa(demoPictures === undefined ? {} : { demoPictures });
    systems.push(stoa);
    return stoa;
  };
  let [withDemo, withoutDemo] = [] as Stoa[];
  beforeAll(async () => {
    [withDemo, withoutDemo] = [await start(DEMO_PICTURES), await start()];
  });
  afterAll(() => Promise.all(systems.map((stoa) => stoa.stop())));

  test('answers each picture as its file is', async () => {
    for (const name of readdirSync(DEMO_PICTURES)) {
      const answer = await fetch(`${withDemo!.url}/demo/pictures/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(await answer.text()).toBe(await readFile(join(DEMO_PICTURES, name), 'utf8'));
    }
  });

  test('refuses other verbs', async () => {
    const { status, headers } = await withDemo!.send('POST', '/demo/pictures/mark.svg');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('serves no picture without a demo', async () => {
    expect((await fetch(`${withoutDemo!.url}/demo/pictures/mark.svg`)).status).toBe(404);
  });
});

test('a picture cannot run or load anything, and may be shown on any site for ever', async () => {
  const headers = (await picture('mug-indigo.svg'))?.headers;
  expect(headers?.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(headers?.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers?.get('x-content-type-options')).toBe('nosniff');
  expect(headers?.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers?.get('cross-origin-resource-policy')).toBe('cross-origin');
});

describe('no picture is found', () => {
  test.each([
    ['without the ending', 'mug-indigo'],
    ['with another ending', 'mug-indigo.png'],
    ['under an unknown name', 'teapot-indigo.svg'],
    ['in another letter case', 'Mug-Indigo.svg'],
    ['in a folder above', '../request.ts'],
    ['by way of the folder above', '../picture/mug-indigo.svg'],
    ['under an encoded path', '..%2fpicture%2fmug-indigo.svg'],
    ['with a NUL', 'mug-indigo.svg\0'],
    ['with a line break', 'mug-indigo.svg\n'],
    ['under what every object inherits', 'constructor'],
    ['under the folder’s own name', '.'],
    ['under the empty name', ''],
    ['under a very long name', `${'mug-'.repeat(10_000)}indigo.svg`],
  ])('%s', (_, file) => {
    expect(picture(file)).toBeNull();
  });
});
