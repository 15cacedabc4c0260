// The settings in a real browser: profile, people, keys, apps, payment providers, taxes, audit log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connected, reads } from '#test/services/connect/flow.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the settings', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, press, fill, signIn, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const readStore = async (path: string) => (await stoa.send('GET', path, { key: keys.secret_key })).body;
  const submitFirst = (): Promise<unknown> => read(`document.querySelector('main form').requestSubmit()`);
  const submit = (): Promise<unknown> => read(`document.querySelector('dialog form').requestSubmit()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'settings');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('show a test key why it changes nothing, no form to fill in, and the current tab', async () => {
    await read(`localStorage.removeItem('stoa-dashboard-signed-in')`);
    await signIn(keys.secret_test_key, 'sandbox/settings');
    for (const [path, field] of [
      ['settings', 'Name'],
      ['settings/languages', 'Default language'],
    ] as const) {
      await goTo(path);
      await shows('main', /a test key does not change it/);
      await shows('label', field);
      expect(
        await read(
          `[...document.querySelectorAll('main :is(input, select, textarea)')].some((each) => each.matches(':enabled'))`,
        ),
      ).toBe(false);
      expect(await read(`[...document.querySelectorAll('main button')].map((each) => each.textContent)`)).not.toContain(
        'Save',
      );
    }
    await checkLooks('settings-test-key');
    for (const path of ['settings/currencies', 'settings/staff', 'settings/keys']) {
      await goTo(path);
      await shows('main', /a test key does not change it/);
      expect(await read(`document.querySelector('main .button.primary')`)).toBeNull();
    }
    await browser.page.resize(390, 844);
    await goTo('settings/audit-log');
    await shows('main h1', 'Audit log');
    await eventually(async () => {
      const place = `document.querySelector('.tabs [aria-current]').getBoundingClientRect()`;
      expect(await read(`${place}.left >= 0 && ${place}.right <= innerWidth`)).toBe(true);
    });
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'settings');
  });

  test('change the store’s name and show it at once', async () => {
    await shows('main h1', 'Store');
    await fill('Name', 'Lamp shop');
    await submitFirst();
    await shows('.side, header, nav', /Lamp shop/);
    expect((await readStore('/v1/store')).store.name).toBe('Lamp shop');
    await checkLooks('settings');
  });

  test('show what another person changed in the profile, and lose no input', async () => {
    await fill('Phone', '+254700000000');
    await stoa.send('PATCH', '/v1/store', {
      key: keys.secret_key,
      body: { contact_phone: '+254711111111', website_url: 'https://lamps.example.com', return_window_days: 14 },
    });
    await submitFirst();
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Website.*Theirs: https:\/\/lamps\.example\.com/);
    await shows('dialog', /Phone.*Theirs: \+254711111111.*Yours: \+254700000000/);
    await checkLooks('profile-conflict');
    await press('Continue');
    await submitFirst();
    const profile = async () => (await readStore('/v1/store')).store;
    const written = {
      contact_phone: '+254700000000',
      website_url: 'https://lamps.example.com',
      return_window_days: 14,
    };
    await eventually(async () => expect(await profile()).toMatchObject(written));
    // The other forms of the screen have followed.
    await eventually(async () =>
      expect(await read(`[...document.querySelectorAll('main input')].some(({ value }) => value === '14')`)).toBe(true),
    );
  });

  test('invite a person and show the link once', async () => {
    await goTo('settings/staff');
    await press('Invite');
    await fill('E-mail', 'grace@example.com');
    await fill('Role', 'catalogue');
    await submit();
    await shows('dialog h2', 'The invitation is sent');
    await press('Close');
    await shows('main', /grace@example\.com/);
    await checkLooks('staff');
  });

  test('create a restricted key, show its text once, and revoke it', async () => {
    await goTo('settings/keys');
    await press('New key');
    await fill('Name', 'Warehouse');
    await read(`[...document.querySelectorAll('dialog label')].find((label) => label.textContent.includes('catalog:read'))
      .querySelector('input').click()`);
    await submit();
    await shows('dialog h2', 'Key Warehouse');
    await checkLooks('key');
    const [key] = (await readStore('/v1/keys?limit=100')).keys.filter(
      ({ name }: { name: string }) => name === 'Warehouse',
    );
    expect(key.scopes).toEqual(['catalog:read']);
    await press('I have copied it');
    await shows('table', /Warehouse/);
    await checkLooks('keys');
    await press('Actions');
    await press('Revoke');
    await press('Revoke the key');
    await eventually(async () => {
      const { keys: left } = await readStore('/v1/keys?limit=100');
      expect(left.find(({ name }: { name: string }) => name === 'Warehouse')?.revoked ?? true).toBe(true);
    });
  });

  test('add a tax rate by its percentage', async () => {
    await goTo('settings/taxes');
    await press('New tax rate');
    await fill('Name', 'VAT');
    await fill('Rate', '7.25');
    await fill('Country', 'KE');
    await submit();
    await shows('table', /VAT.*7\.25%/);
    expect((await readStore('/v1/tax-rates')).tax_rates).toMatchObject([{ name: 'VAT', rate: 0.0725, country: 'KE' }]);
    await checkLooks('taxes');
  });

  test('show what another person changed in a tax rate, and lose no input', async () => {
    const [rate] = (await readStore('/v1/tax-rates')).tax_rates;
    const path = `/v1/tax-rates/${rate.id}`;
    await press('Actions');
    await press('Edit');
    await fill('Rate', '8');
    await stoa.send('PATCH', path, { key: keys.secret_key, body: { rate: 0.09, name: 'VAT 2027' } });
    await submit();
    await shows('dialog dialog', /Name.*Theirs: VAT 2027/);
    await shows('dialog dialog', /Rate.*Theirs: 9.*Yours: 8/);
    await checkLooks('tax-conflict');
    await press('Continue');
    await submit();
    await shows('table', /VAT 2027.*8%/);
    expect((await readStore('/v1/tax-rates')).tax_rates).toMatchObject([{ name: 'VAT 2027', rate: 0.08 }]);
  });

  test('add a currency in the sandbox, which production has, too', async () => {
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'sandbox/settings/currencies');
    await press('New currency');
    await fill('Currency', 'gbp');
    await fill('Rate', '0.8');
    await submit();
    await shows('table', /GBP.*Converted by the rate.*0\.8/);
    expect((await readStore('/v1/store')).store.currencies).toEqual([{ currency: 'GBP', prices: 'rate' }]);
    await press('Actions');
    await press('Remove');
    await press('Remove');
    await eventually(async () => expect((await readStore('/v1/store')).store.currencies).toEqual([]));
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'settings');
  });

  test('add a currency with its rate, and remove it', async () => {
    await goTo('settings/currencies');
    await press('New currency');
    await fill('Currency', 'eur');
    await fill('Rate', '0.92');
    await fill('Converted prices are rounded', '0.99');
    await submit();
    await shows('table', /EUR.*Converted by the rate.*0\.92/);
    expect((await readStore('/v1/store')).store.currencies).toEqual([{ currency: 'EUR', prices: 'rate' }]);
    expect((await readStore('/v1/exchange-rates')).exchange_rates).toMatchObject([
      { currency: 'EUR', rate: 0.92, rounding: { to: '0.99' }, max_age_hours: 24 },
    ]);
    await checkLooks('currencies');
    await press('Actions');
    await press('Remove');
    await read(
      `[...document.querySelectorAll('dialog button')].find((button) => button.textContent.trim() === 'Remove').click()`,
    );
    await shows('main', /No further currency yet/);
    expect((await readStore('/v1/store')).store.currencies).toEqual([]);
  });

  test('refuse a payment provider without its credentials', async () => {
    await goTo('settings/payments');
    await press('Connect');
    await submit();
    await shows('dialog [role=alert], dialog .refusal', /./);
    await read(`document.querySelector('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))`);
    await checkLooks('providers');
  });

  test('list an app with what it may do, and revoke its access', async () => {
    const { tokens } = await connected(stoa, keys, { key: keys.secret_key, scopes: ['orders:read', 'shipping:write'] });
    await goTo('settings/apps');
    await shows('table', /Parcel Planner.*See orders.*Change delivery options.*Never/);
    await checkLooks('apps');
    await press('Revoke the access of Parcel Planner');
    await shows('dialog h2', 'Revoke the access of Parcel Planner?');
    await press('Revoke');
    await shows('main', /No app has access/);
    expect((await readStore('/v1/connect/grants')).grants).toEqual([]);
    await eventually(async () => expect((await reads(stoa, tokens.access_token, '/v1/orders')).status).toBe(401));
  });

  test.each([
    ['Carriers', 'Delivery', /No carrier yet/],
    ['Channels', 'Developers', /channel/i],
    ['Webhooks', 'Developers', /endpoint/i],
  ])('lead to %s', async (label, heading, content) => {
    await goTo('settings');
    await shows('main h1', 'Store');
    await read(
      `[...document.querySelectorAll('main nav a')].find((link) => link.textContent.trim() === '${label}').click()`,
    );
    await shows('main h1', heading);
    await shows('main', content);
  });

  test('show the writes of the staff in the audit log', async () => {
    await goTo('settings/audit-log');
    await shows('table', /./);
    await checkLooks('audit-log');
  });
});
