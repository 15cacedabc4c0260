// The consent page in a real browser: the merchant's decision reaches the app.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { begin, exchange, pageOf } from '#test/services/connect/flow.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

/** An app's callback; `onTo` is where it sends browsers on. */
interface App {
  readonly address: string;
  readonly called: URL[];
  onTo: string | null;
  close(): void;
}

const startApp = async (host: string): Promise<App> => {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url!, app.address);
    if (url.pathname === '/callback') {
      app.called.push(url);
      if (app.onTo !== null) return response.writeHead(302, { location: app.onTo }).end();
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>App</title><p id="app">The app</p>');
  });
  await new Promise<void>((ready) => server.listen(0, host, ready));
  const named = host.includes(':') ? `[${host}]` : host;
  const app: App = {
    address: `http://${named}:${(server.address() as AddressInfo).port}`,
    called: [],
    onTo: null,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return app;
};

describe.skipIf(!program)('in a browser', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const apps: App[] = [];
  const { read, shows, press, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ name: 'Kiosk on the Quay' });
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 90_000);
  afterAll(async () => {
    for (const app of apps) app.close();
    await browser?.close();
  });

  const app = async (host = '127.0.0.1'): Promise<App> => {
    const started = await startApp(host);
    apps.push(started);
    return started;
  };
  const ask = (at: App, more: object = {}) =>
    begin(stoa, keys, {
      redirect_uri: `${at.address}/callback`,
      scopes: ['catalog:read', 'catalog:write', 'orders:read'],
      ...more,
    });

  test('shows app and scopes, and returns a valid code after consent', async () => {
    const at = await app();
    const asked = await ask(at);
    await browser.page.open(pageOf(asked));
    await shows('h1', 'Parcel Planner asks to work with Kiosk on the Quay');
    await shows('.scopes li', 'See and change products, categories, prices and stock');
    await shows('.scopes li', 'See orders, carts and checkouts');
    await fitsPhone();
    await press('Allow');
    await shows('#app', 'The app');
    const [back] = at.called;
    expect([back!.searchParams.get('state'), back!.searchParams.get('iss')]).toEqual(['st4te', stoa.url]);
    const issued = await exchange(stoa, asked, back!.searchParams.get('code')!);
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
    // The link was good for one decision.
    await browser.page.open(pageOf(asked));
    await shows('h1', 'This link no longer works');
    expect(await read('document.querySelectorAll("button").length')).toBe(0);
  });

  test('returns without a code after a denial', async () => {
    const at = await app();
    const asked = await ask(at, { key: keys.secret_test_key });
    await browser.page.open(pageOf(asked));
    await shows('.test', 'Sandbox');
    await press('Deny');
    await shows('#app', 'The app');
    const [back] = at.called;
    const { error, state, code } = Object.fromEntries(back!.searchParams);
    expect([error, state, code]).toEqual(['access_denied', 'st4te', undefined]);
    const { grants } = (await stoa.send('GET', '/v1/connect/grants', { key: keys.secret_test_key })).body;
    expect(grants).toEqual([]);
  });

  test('reaches an app whose callback redirects', async () => {
    const [at, further] = [await app(), await app()];
    at.onTo = `${further.address}/welcome`;
    const asked = await ask(at);
    await browser.page.open(pageOf(asked));
    await press('Allow');
    await eventually(async () => expect(await read('location.href')).toBe(at.onTo));
    expect(at.called).toHaveLength(1);
  });

  test('reaches an app on an IPv6 loopback address', async () => {
    const at = await app('::1');
    const asked = await ask(at);
    await browser.page.open(pageOf(asked));
    await press('Allow');
    await shows('#app', 'The app');
    expect(at.called[0]!.searchParams.has('code')).toBe(true);
  });

  test('the page breaks no policy', () => {
    expect(browser.page.complaints.filter((text) => !/409/.test(text))).toEqual([]);
  });
});
