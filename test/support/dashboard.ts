// Drives the dashboard in a browser: signs in, opens a screen by its path, reads, presses, types.
import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { isAccessible } from '#test/support/axe.ts';
import type { Page } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';

const WIDTHS = { phone: 390, desk: 1280 } as const;
const HEIGHT = 844;
/** A chart and a list settle. */
const SETTLED_MS = 200;

/** Both are asked for at each use: a test opens them before it begins. */
export const visitDashboard = (page: () => Page, url: () => string) => {
  const { read, shows, press, click, type } = visitConsole(page, url);
  /** Opens `/dashboard` with a secret key; a path of a screen may follow: `orders`. */
  const signIn = async (key: string, path = ''): Promise<void> => {
    await page().open(`${url()}/dashboard${path === '' ? '' : `/${path}`}`);
    await type('#key', key);
    await press('Use the key');
    await shows('.frame main h1', /./);
  };
  const signInWithPassword = async (email: string, password: string): Promise<void> => {
    await page().open(`${url()}/dashboard`);
    await type('#email', email);
    await type('#password', password);
    await press('Sign in');
    await shows('.frame main h1', /./);
  };
  /** Opens a screen in the session of a cookie, as `join()` of the staff's tests answers one: `sandbox/orders`. */
  const signInAs = async (cookie: string, path = ''): Promise<void> => {
    await page().open(`${url()}/dashboard`);
    await read(`document.cookie = ${JSON.stringify(`${cookie}; Path=/; SameSite=Strict`)};
      localStorage.setItem('stoa-dashboard-signed-in', 'yes')`);
    await page().open(`${url()}/dashboard${path === '' ? '' : `/${path}`}`);
    await shows('.frame main h1', /./);
  };
  /**
   * Shows another screen of the signed-in dashboard, as a link does: `orders?order_status=paid`. Waits for a save under
   * way: before its end the dashboard would ask whether to lose the changes, and the question stops the browser.
   */
  const goTo = async (path: string): Promise<void> => {
    await eventually(async () =>
      expect(await read(`document.querySelectorAll('main button[aria-busy]').length`)).toBe(0),
    );
    await read(`(() => {
      const link = document.createElement('a');
      const base = location.pathname.startsWith('/dashboard/sandbox') ? '/dashboard/sandbox' : '/dashboard';
      link.href = base + (${JSON.stringify(path)} === '' ? '' : '/' + ${JSON.stringify(path)});
      document.body.append(link);
      link.click();
      link.remove();
    })()`);
  };
  /** Types into the field with this label. */
  const fill = async (label: string, text: string): Promise<void> => {
    await shows('label', label);
    const found = await read<boolean>(`(() => {
      const label = [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === ${JSON.stringify(label)});
      const element = label && document.getElementById(label.htmlFor);
      if (!element) return false;
      element.value = ${JSON.stringify(text)};
      element.dispatchEvent(new Event(element.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
      return true;
    })()`);
    expect(found, label).toBe(true);
  };
  /** Compares the page with the screen: a telephone widens its page for an element that is too wide. */
  const fits = async (): Promise<void> => {
    expect(await read('Math.max(innerWidth, document.documentElement.scrollWidth) - screen.width')).toBe(0);
  };
  /**
   * Fits a telephone and a desk, and is accessible in both themes. With STOA_PICTURES=FOLDER, pictures of all four are
   * written there.
   */
  const checkLooks = async (name: string): Promise<void> => {
    const folder = process.env.STOA_PICTURES;
    if (folder) await mkdir(folder, { recursive: true });
    for (const [device, width] of Object.entries(WIDTHS)) {
      await page().resize(width, HEIGHT);
      await Bun.sleep(SETTLED_MS);
      await fits();
      await isAccessible(page());
      if (folder)
        for (const shade of ['light', 'dark'] as const) {
          await page().theme(shade);
          await Bun.sleep(SETTLED_MS);
          await writeFile(`${folder}/${name}-${device}-${shade}.png`, Buffer.from(await page().picture(), 'base64'));
        }
    }
    await page().theme('light');
  };
  return { checkLooks, read, shows, press, click, type, fill, signIn, signInAs, signInWithPassword, goTo, fits };
};
