// Finds parts of a page that are too small for their longest word, which would break or be cut.
import type { Browser } from './browser.ts';

const FIND = (selector: string): string => `
  [...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((part) => {
      const free = part.cloneNode(true);
      free.style.cssText = 'position: absolute; width: min-content; overflow-wrap: normal';
      part.parentElement.append(free);
      const wanted = free.offsetWidth;
      free.remove();
      return wanted > part.offsetWidth + 1;
    })
    .map((part) => innerWidth + ' ' + document.body.className + ': ' + part.innerText)
    .join('\\n')`;

/**
 * The overflowing parts among those of a selector, in windows of tablets and desktops, before and after `turn`. The window
 * ends as a phone's.
 */
export const overflowingParts = async (
  { page }: Browser,
  read: (expression: string) => Promise<unknown>,
  selector: string,
  turn: () => Promise<unknown>,
): Promise<string> => {
  let found = '';
  for (const width of [834, 1024, 1280]) {
    await page.resize(width, 800);
    for (let times = 2; times > 0; times--) {
      found += await read(FIND(selector));
      await turn();
    }
  }
  await page.resize(360, 740);
  return found;
};
