// Delivery in the dashboard, in a real browser: rates and places are edited, a zone is drawn, an address is tried.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the delivery of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const config = async () => (await stoa.send('GET', '/v1/shipping/config', { key: keys.secret_key })).body;
  const overview = (): Promise<void> => shows('main h1', /^Delivery$/);
  /** Clicks the map at a share of its width and height. */
  const clickMap = (across: number, down: number): Promise<unknown> =>
    read(`(() => {
      const map = document.querySelector('.map');
      const { left, top, width, height } = map.getBoundingClientRect();
      map.dispatchEvent(new MouseEvent('click', {
        bubbles: true, clientX: left + width * ${across}, clientY: top + height * ${down} }));
    })()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'manager')).cookie, 'delivery');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('adds a place', async () => {
    await goTo('delivery/locations/new');
    await shows('main h1', 'New place');
    await fill('Name', 'Workshop');
    await fill('Address', '12 Ngong Road');
    await fill('City', 'Nairobi');
    await fill('Country', 'KE');
    await fill('Latitude', '-1.2921');
    await press('Save');
    await shows('.refusal', /longitude/);
    await fill('Longitude', '36.7856');
    await checkLooks('place');
    await press('Save');
    await overview();
    await shows('main', /Workshop/);
    expect((await config()).locations).toMatchObject([{ name: 'Workshop', latitude: -1.2921, ships: true }]);
  });

  test('draws a zone on the map', async () => {
    await goTo('delivery/zones/new');
    await shows('main h1', 'New zone');
    await shows('main', /Click the corners/);
    await fill('Name', 'Central');
    for (const [across, down] of [
      [0.3, 0.3],
      [0.7, 0.3],
      [0.7, 0.7],
      [0.3, 0.7],
    ] as const)
      await clickMap(across, down);
    await shows('main', /4 corners/);
    await fill('Delivery fee', '5');
    await fill('Free delivery from an order of', '100');
    await press('Add option');
    await checkLooks('zone');
    await press('Save');
    await shows('.refusal', /zones\[0\]\.rate\.options\[0\]/);
    await read(`document.querySelector('[aria-label="Remove option 1"]').click()`);
    await press('Save');
    await overview();
    await shows('main', /Central/);
    const [zone] = (await config()).zones;
    expect(zone).toMatchObject({ name: 'Central', kind: 'map', rate: { fee: 5, free_threshold: 100, options: [] } });
    expect(zone.geometry.coordinates[0]).toHaveLength(5);
  });

  test('adds a corner by keyboard alone', async () => {
    const [zone] = (await config()).zones;
    await goTo(`delivery/zones/${zone.id}`);
    await shows('main', /4 corners/);
    await read(`(() => {
      const map = document.querySelector('.map');
      for (const key of ['ArrowUp', 'ArrowUp', 'Enter'])
        map.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    })()`);
    await shows('main', /5 corners/);
    await press('Remove the last corner');
    await shows('main', /4 corners/);
  });

  test('adds distances and a rate for everywhere else', async () => {
    await goTo('delivery/tiers/new');
    await shows('main h1', 'New distance');
    await fill('Name', 'Near');
    await fill('To', '30');
    await fill('Delivery fee', '9');
    await press('Add weight');
    await fill('Up to', '1000');
    await fill('Fee', '7');
    await checkLooks('distance');
    await press('Save');
    await overview();
    await goTo('delivery/fallback');
    await shows('main h1', 'Everywhere else');
    await click('main form input[type=checkbox]');
    await fill('Delivery fee', '20');
    await press('Save');
    await overview();
    await shows('main', /Everywhere else.*20\.00/);
    const { tiers, fallback } = await config();
    expect(tiers).toMatchObject([
      { from_meters: 0, to_meters: 30_000, rate: { fee: 9, weight_bands: [{ up_to_grams: 1_000, fee: 7 }] } },
    ]);
    expect(fallback.rate.fee).toBe(20);
    await checkLooks('delivery');
  });

  test('shows what another person changed in a distance, and saves over other changes', async () => {
    const put = async (change: (now: Awaited<ReturnType<typeof config>>) => object) =>
      stoa.send('PUT', '/v1/shipping/config', { key: keys.secret_key, body: change(await config()) });
    const [tier] = (await config()).tiers;
    await goTo(`delivery/tiers/${tier.id}`);
    await shows('main h1', 'Near');
    await fill('Name', 'Nearby');
    await put((now) => ({ ...now, tiers: [{ ...tier, name: 'Close', to_meters: 40_000 }] }));
    await press('Save');
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Name.*Theirs: Close.*Yours: Nearby/);
    await shows('dialog', /To.*Theirs: 40/);
    await checkLooks('distance-conflict');
    await press('Continue');
    // Another item is no conflict.
    await put((now) => ({ ...now, handling_days: 2 }));
    await press('Save');
    await overview();
    const { tiers, handling_days } = await config();
    expect(tiers).toMatchObject([{ name: 'Nearby', to_meters: 40_000 }]);
    expect(handling_days).toBe(2);
    await put((now) => ({ ...now, tiers: [tier] }));
  });

  test('shows what an address would pay, and why', async () => {
    await goTo('delivery/try');
    await shows('main', /What would this address pay/);
    await fill('Country', 'KE');
    await fill('Latitude', '-1.2921');
    await fill('Longitude', '36.7856');
    await press('Calculate');
    await shows('.facts', /A zone.*Central/);
    await shows('main', /5\.00/);
    await checkLooks('address');
    await fill('Latitude', '-4.05');
    await fill('Longitude', '39.66');
    await press('Calculate');
    await shows('.facts', /The rate for everywhere else/);
  });

  test('removes a zone and undoes it', async () => {
    const [zone] = (await config()).zones;
    await goTo('delivery');
    await shows('main', /Central/);
    await read(`document.querySelector('[aria-label="Remove Central"]').click()`);
    await eventually(async () => expect((await config()).zones).toEqual([]));
    await press('Undo');
    await eventually(async () => expect((await config()).zones).toEqual([zone]));
    await shows('main', /Central/);
  });

  test('connects and disconnects an extension, whose secret is shown once', async () => {
    await goTo('delivery/carriers');
    await shows('main', /No carrier yet/);
    await fill('Kind', 'custom');
    await fill('Name', 'Own riders');
    await fill('URL', 'https://riders.example.com/rates');
    await press('Connect');
    await shows('main', /The signing secret of Own riders is shown this once/);
    await shows('table', /Own riders/);
    await checkLooks('carriers');
    await press('Disconnect Own riders');
    await read(`document.querySelector('dialog .button.danger').click()`);
    await shows('main', /No carrier yet/);
  });
});
