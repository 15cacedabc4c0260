// Checks a page's accessibility: axe-core, run in the browser that shows it.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Page } from './browser.ts';
import { eventually } from './server.ts';

const RUN =
  'window.found = null; axe.run().then(({ violations }) => { window.found = violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join()); }); 0';

/** Counts animations that end. A text that fades in has no contrast to judge yet. */
const MOVING =
  "document.getAnimations().filter((each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity).length";

let program: Promise<string> | undefined;

/** In either theme it finds nothing. */
export const isAccessible = async (page: Page): Promise<void> => {
  program ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.read(`${await program}; 0`);
  for (const shade of ['light', 'dark'] as const) {
    await page.theme(shade);
    await eventually(async () => expect(await page.read(MOVING)).toBe(0));
    await page.read(RUN);
    const found = await eventually(async () => {
      const list = await page.read<string[] | null>('window.found');
      expect(list).not.toBeNull();
      return list;
    });
    expect([shade, found]).toEqual([shade, []]);
  }
};
