// Every picture can be drawn, and nothing but a picture's own name gets one.
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { SCENE_NAMES } from '#edge/pages/picture/scene.ts';
import { COLOUR_NAMES, OBJECT_NAMES, picture } from '#edge/pages/picture.ts';

const drawn = async (file: string): Promise<string> => (await picture(file)?.text()) ?? '';

describe('a picture', () => {
  test.each(OBJECT_NAMES)('of %s is well-formed in every colour and has no broken number', async (object) => {
    for (const colour of COLOUR_NAMES) {
      const svg = await drawn(`${object}-${colour}.svg`);
      expect(XMLValidator.validate(svg), `${object} in ${colour}`).toBe(true);
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 800 800"/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
    }
  });

  test.each(SCENE_NAMES)('of the scene %s is well-formed, wide and tall', async (name) => {
    for (const [form, size] of [
      ['wide', '1600 900'],
      ['tall', '900 1200'],
    ]) {
      const svg = await drawn(`scene-${name}-${form}.svg`);
      expect(XMLValidator.validate(svg)).toBe(true);
      expect(svg).toContain(`viewBox="0 0 ${size}"`);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
    }
  });

  test('has the shop’s mark among its subjects', async () => {
    expect(XMLValidator.validate(await drawn('mark.svg'))).toBe(true);
  });

  test('looks different in another colour, and as another object', async () => {
    const svgs = await Promise.all(['mug-indigo.svg', 'mug-clay.svg', 'bowl-indigo.svg'].map(drawn));
    expect(new Set(svgs).size).toBe(3);
  });

  test('cannot run or load anything, and may be shown on any site for ever', async () => {
    const headers = picture('mug-indigo.svg')?.headers;
    expect(headers?.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers?.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers?.get('x-content-type-options')).toBe('nosniff');
    expect(headers?.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers?.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await drawn('mug-indigo.svg')).not.toMatch(/<script|href|url\(|on\w+=/);
  });
});

describe('there is no picture', () => {
  test.each([
    ['without its ending', 'mug-indigo'],
    ['with another ending', 'mug-indigo.png'],
    ['of an unknown object', 'teapot-indigo.svg'],
    ['in an unknown colour', 'mug-beige.svg'],
    ['without a colour', 'mug.svg'],
    ['of an unknown scene', 'scene-nowhere-wide.svg'],
    ['of a scene in an unknown form', 'scene-long-table-round.svg'],
    ['in another letter case', 'Mug-Indigo.svg'],
    ['of a path', '../mug-indigo.svg'],
    ['of an encoded path', '..%2fmug-indigo.svg'],
    ['with a NUL', 'mug-indigo\0.svg'],
    ['with a line break', 'mug-indigo.svg\n'],
    ['of what every object inherits', 'constructor-indigo.svg'],
    ['in what every object inherits', 'mug-constructor.svg'],
    ['of the empty name', ''],
    ['of a very long name', `${'mug-'.repeat(10_000)}indigo.svg`],
  ])('%s', (_, file) => {
    expect(picture(file)).toBeNull();
  });
});
