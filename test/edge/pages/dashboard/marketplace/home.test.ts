// A marketplace in a real browser: its operator's staff suspend a merchant, curate a section, take a payment for a group order,
// and see what their role may do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { type Marketplace, openMarketplace } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the marketplace', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let market: Marketplace;
  let browser: Browser;
  let inviting: { secret_key: string };
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const submit = (): Promise<unknown> => read(`document.querySelector('main form').requestSubmit()`);
  const names = async (): Promise<string[]> =>
    (await market.send('GET', '/v1/marketplace/merchants')).body.merchants.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    stoa = await sharedStoa();
    market = await openMarketplace(stoa);
    inviting = { secret_key: market.operator.operator_key };
    expect((await market.checkout()).status).toBe(201);
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, inviting, 'owner')).cookie, 'sandbox');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('shows merchants and the newest group orders first', async () => {
    await shows('main h1', 'Home');
    await shows('main', /Merchants that sell: 2/);
    await shows('table', /ada@example\.com.*Pending/);
    expect(await read(`document.querySelector('.side').textContent.includes('Products')`)).toBe(false);
    await checkLooks('marketplace-home');
  });

  test('shows the orders of each merchant, and makes a payment link over all of them', async () => {
    await goTo('group-orders');
    await shows('main h1', 'Group orders');
    await checkLooks('group-orders');
    await click('main tbody a');
    await shows('main h1', 'Group order of ada@example.com');
    for (const name of await names()) await shows('table', name);
    await checkLooks('group-order');
    await press('Payment link');
    await shows('dialog', /Make a link over/);
    await checkLooks('group-payment');
    await read(
      `[...document.querySelectorAll('dialog button')].find((each) => /Make a link/.test(each.textContent)).click()`,
    );
    await shows('dialog label', 'Link');
    const link = await read<string>(`document.querySelector('dialog input').value`);
    expect((await fetch(link)).status).toBe(200);
    await shows('main', 'No payment yet');
    await press('Close');
    await shows('table[aria-label="Payments"]', /card_checkout.*Pending/);
    await checkLooks('group-order-payments');
  });

  test('curates a section of products of both merchants', async () => {
    await goTo('sections/new');
    await fill('Name', 'For rainy days');
    await fill('Address', 'for-rainy-days');
    for (const { keys } of market.members) {
      await read(`(() => {
        const select = [...document.querySelectorAll('main select')].at(-1);
        select.value = ${JSON.stringify(keys.store_id)};
        select.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
      await fill('Add a product', '');
      await fill('Add a product', 'Thing');
      await shows('main', /Add Thing 0/);
      await eventually(async () =>
        expect(
          await read(`(() => {
            const add = [...document.querySelectorAll('main button')].find((each) => /Add Thing 0/.test(each.textContent));
            if (!add || add.disabled) return false;
            add.click();
            return true;
          })()`),
        ).toBe(true),
      );
    }
    await submit();
    await shows('main h1', 'For rainy days');
    await checkLooks('section');
    const section = async () =>
      (await market.send('GET', '/v1/marketplace/collections/for-rainy-days')).body.collection.items;
    expect((await section()).map(({ merchant_store_id }: { merchant_store_id: string }) => merchant_store_id)).toEqual(
      market.members.map(({ store }) => store),
    );
    await goTo('sections');
    await shows('table', /For rainy days/);
    await checkLooks('sections');
  });

  test('leaves members that are not shown now in the section', async () => {
    const [first] = market.members;
    const { body } = await first!.send('GET', '/v1/products');
    await first!.send('PATCH', `/v1/products/${body.products[0].id}`, { is_active: false });
    const section = async (query = '') =>
      (await market.send('GET', `/v1/marketplace/collections/for-rainy-days${query}`)).body.collection;
    await eventually(async () => expect((await section()).items).toHaveLength(1));
    await goTo('sections/for-rainy-days');
    await shows('main', /Not shown now/);
    await fill('Name', 'For wet days');
    await submit();
    await eventually(async () => expect((await section()).name).toBe('For wet days'));
    await first!.send('PATCH', `/v1/products/${body.products[0].id}`, { is_active: true });
    await eventually(async () => expect((await section()).items).toHaveLength(2));
  });

  test('shows what another person changed in a section, and loses no input', async () => {
    const path = '/v1/marketplace/collections/for-rainy-days';
    const section = async () => (await market.send('GET', path)).body.collection;
    await goTo('sections/for-rainy-days');
    await shows('main h1', 'For wet days');
    await fill('Name', 'For puddles');
    const { items } = await section();
    const theirs = {
      name: 'For storms',
      description: 'Wind too.',
      placement_kind: 'product',
      items: items.slice(0, 1),
    };
    expect((await market.send('PUT', path, theirs)).status).toBe(200);
    await submit();
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Name.*Theirs: For storms.*Yours: For puddles/);
    await shows('dialog', /Description.*Wind too/);
    await shows('dialog', /Members.*Theirs: 1 entry/);
    await checkLooks('section-conflict');
    await press('Continue');
    await submit();
    await eventually(async () =>
      expect(await section()).toMatchObject({ name: 'For puddles', description: 'Wind too.' }),
    );
    expect((await section()).items).toHaveLength(1);
  });

  test('suspends a merchant after a question, and resumes it', async () => {
    const [name] = await names();
    const states = async (): Promise<boolean[]> =>
      (await market.send('GET', '/v1/marketplace/merchants')).body.merchants.map(
        ({ suspended }: { suspended: boolean }) => suspended,
      );
    await goTo('merchants');
    await shows('main', /Suspend one in production/);
    await read(`document.querySelector('.environment a').click()`);
    await shows('main button', `Suspend ${name}`);
    await checkLooks('merchants');
    await press(`Suspend ${name}`);
    await shows('dialog h2', `Suspend ${name}?`);
    await checkLooks('merchant-suspend');
    await press('Suspend');
    await shows('table', /Suspended/);
    expect(await states()).toEqual([true, false]);
    await press(`Resume ${name}`);
    await eventually(async () => expect(await states()).toEqual([false, false]));
  });

  test('shows audit log, providers and people in the settings', async () => {
    await goTo('settings');
    await shows('main h1', 'Audit log');
    await shows('table', /Update marketplace merchant/);
    await checkLooks('marketplace-audit-log');
    await goTo('settings/payments');
    await shows('main', /No payment provider yet/);
    await goTo('settings/staff');
    await shows('table', /owner/i);
    await checkLooks('marketplace-staff');
  });

  test('shows an analyst no button that changes anything', async () => {
    await signInAs((await join(stoa, inviting, 'analyst')).cookie, 'merchants');
    await shows('table', /Selling/);
    expect(await read(`document.querySelector('main').textContent.includes('Suspend')`)).toBe(false);
    await goTo('sections');
    await shows('table, .empty', /./);
    expect(await read(`document.querySelector('main').textContent.includes('New section')`)).toBe(false);
    await goTo('settings');
    await shows('main h1', 'Audit log');
    expect(await read(`document.querySelector('main').textContent.includes('Staff')`)).toBe(false);
    // The section that two people changed.
    expect(browser.page.complaints.filter((text) => !/409 /.test(text))).toEqual([]);
  });
});
