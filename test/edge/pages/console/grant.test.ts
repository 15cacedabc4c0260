// Grants in the console, in a real browser on a phone's width: apps, their scopes, and revocation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connected } from '#test/services/connect/flow.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('grants in the console', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, press, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('says when no app has access', async () => {
    await signIn(keys.secret_test_key);
    await press('Grants');
    await shows('#grants', 'No app has access to the store.');
    await fitsPhone();
  });

  test('lists an app with its scopes and revokes it after a confirmation', async () => {
    const { tokens, session } = await connected(stoa, keys, {
      scopes: ['catalog:read', 'catalog:write', 'orders:read'],
    });
    const asks = async () => (await stoa.send('GET', '/v1/orders', { key: tokens.access_token })).status;
    await signIn(keys.secret_key);
    await press('Grants');
    await shows('#grants summary', /Parcel Planner.*not used yet/);
    expect(await asks()).toBe(200);
    await shows('#grants summary', /Parcel Planner.*in use/);
    await read(`document.querySelector('#grants summary').click()`);
    await shows('#grants', session.client_id);
    await shows('#grants li', 'See and change products, categories, prices and stock');
    await shows('#grants li', 'See orders');
    await fitsPhone();
    await press('Revoke …');
    expect(await asks()).toBe(200);
    await press('Revoke it');
    await shows('[role=status]', 'Parcel Planner no longer has access.');
    await shows('#grants', 'No app has access to the store.');
    expect(await asks()).toBe(401);
  });

  test('keeps a sandbox’s grants apart', async () => {
    await connected(stoa, keys, { key: keys.secret_test_key, client_name: 'Test Bench' });
    await signIn(keys.secret_key);
    await press('Grants');
    await shows('#grants', 'No app has access to the store.');
    await signIn(keys.secret_test_key);
    await press('Grants');
    await shows('#grants summary', 'Test Bench');
    expect(browser.page.complaints).toEqual([]);
  });
});
