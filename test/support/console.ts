// Drives the console in a browser: reads, presses, types.
import { expect } from 'vitest';
import type { Page } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';

/** Follows a link of the page to another path, as a click does. */
export const followLink = async (read: Page['read'], path: string): Promise<void> => {
  await read(`(() => {
    const link = document.createElement('a');
    link.href = ${JSON.stringify(path)};
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
};

/** Both are asked for at each use: a test opens them before it begins. */
export const visitConsole = (page: () => Page, url: () => string) => {
  const read = <T>(expression: string): Promise<T> => page().read<T>(expression);
  const shows = (selector: string, text: string | RegExp): Promise<void> =>
    eventually(async () =>
      expect(
        await read(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => e.textContent).join(' ')`),
      ).toMatch(text),
    );
  const press = (text: string): Promise<boolean> =>
    eventually(async () => {
      const found = await read<boolean>(`(() => {
        const button = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === ${JSON.stringify(text)} && !each.disabled);
        button?.click();
        return button !== undefined;
      })()`);
      expect(found, text).toBe(true);
      return found;
    });
  /** Runs a statement on the first such element, once there is one: what a page draws comes after its load. */
  const does = (selector: string, statement: string): Promise<void> =>
    eventually(async () => {
      const found = await read<boolean>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        if (element) ${statement}
        return element !== null;
      })()`);
      expect(found, selector).toBe(true);
    });
  const click = (selector: string): Promise<void> => does(selector, 'element.click();');
  const type = (selector: string, text: string): Promise<void> =>
    does(
      selector,
      `{ element.value = ${JSON.stringify(text)}; element.dispatchEvent(new Event('input', { bubbles: true })); }`,
    );
  const signIn = async (key: string): Promise<void> => {
    await page().open(`${url()}/console`);
    await shows('h1', 'Console');
    await type('#key', key);
    await press('Sign in');
  };
  const fitsPhone = async (): Promise<void> => {
    expect(await read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const lowest =
      'Math.min(...[...document.querySelectorAll("button, input:not([type=checkbox], [type=radio], [type=hidden])")].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height))';
    // Large enough for a thumb.
    expect(await read(lowest)).toBeGreaterThanOrEqual(44);
  };
  return { read, shows, press, click, type, signIn, fitsPhone };
};
