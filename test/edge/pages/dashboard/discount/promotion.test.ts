// Discounts in the dashboard, in a real browser: a promotion, a basket to try it on, and a gift card.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSingleProductStore, type SingleProductStore } from '#test/services/order/single_product_store.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the discounts of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: SingleProductStore;
  let browser: Browser;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const shownPromotion = async () => {
    const id = await read<string>(`location.pathname.split('/').at(-1)`);
    const { body, status, text } = await shop.read(`/v1/promotions/${id}`);
    expect(status, text).toBe(200);
    return body.promotion;
  };
  const createPromotion = async (fields: Record<string, unknown>) => {
    const reply = await shop.sign('POST', '/v1/promotions', fields);
    expect(reply.status, reply.text).toBe(201);
    return reply.body.promotion;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await createSingleProductStore(stoa, { name: 'Lamp', stock: 100, sale_price: 8 });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, shop, 'manager')).cookie, 'discounts');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('creates a promotion with all of its terms', async () => {
    await goTo('discounts/new');
    await shows('main h1', 'New promotion');
    await fill('Name', 'Spring sale');
    await fill('Code', 'spring');
    await fill('Percentage', '10');
    await fill('Least subtotal', '16');
    await fill('Orders that may use it', '100');
    await fill('Orders of one customer', '1');
    await fill('Ends', '2099-05-01T12:00');
    await checkLooks('promotion-new');
    await press('Create');
    await shows('main h1', 'Spring sale');
    expect(await shownPromotion()).toMatchObject({
      code: 'SPRING',
      type: 'percentage',
      value: 10,
      minimum_subtotal: 16,
      usage_limit: 100,
      usage_limit_per_customer: 1,
      starts_at: null,
      ends_at: expect.stringMatching(/^2099-0[45]-/),
      status: 'active',
    });
  });

  test('shows a refusal at its field', async () => {
    await goTo('discounts/new');
    await shows('main h1', 'New promotion');
    await fill('Name', 'Too much');
    await fill('Percentage', '110');
    await press('Create');
    await shows('.refusal', /must be above 0 and at most 100/);
    // The next screen may be shown without a question.
    await read(`window.confirm = () => true`);
  });

  test('pauses, resumes by undoing, and ends a promotion', async () => {
    const { id } = await createPromotion({ name: 'Clearance', type: 'fixed_amount', value: 1 });
    await goTo(`discounts/${id}`);
    await shows('main h1', 'Clearance');
    await press('Pause');
    await shows('.page-head', /Paused/);
    expect((await shownPromotion()).status).toBe('paused');
    await press('Undo');
    await shows('.page-head', /Active/);
    await checkLooks('promotion');
    await press('End');
    await press('End the promotion');
    await shows('.page-head', /Ended/);
    expect((await shownPromotion()).status).toBe('ended');
    await goTo('discounts?search=clear&status=ended');
    await shows('table', /Clearance/);
    expect(await read<string>(`document.querySelector('table').textContent`)).not.toContain('Spring sale');
    await checkLooks('promotions');
  });

  test('pauses and resumes a scheduled promotion, and deletes it', async () => {
    const starts_at = '2099-03-01T09:00:00.000Z';
    const { id } = await createPromotion({ name: 'Far away', code: 'FAR', type: 'percentage', value: 5, starts_at });
    await goTo(`discounts/${id}`);
    await shows('.page-head', /Scheduled/);
    await press('Pause');
    await shows('.page-head', /Paused/);
    await press('Resume');
    await shows('.page-head', /Scheduled/);
    expect(await shownPromotion()).toMatchObject({ status: 'scheduled', starts_at });
    await checkLooks('promotion-scheduled');
    await press('Delete');
    await shows('dialog', /its code may be used for another one/);
    await checkLooks('promotion-delete');
    await press('Delete the promotion');
    await shows('main h1', 'Discounts');
    expect((await shop.read(`/v1/promotions/${id}`)).status).toBe(404);
  });

  test('saves only the fields that were changed', async () => {
    const made = await createPromotion({
      name: 'Pair',
      type: 'buy_x_get_y',
      buy: { quantity: 2 },
      get: { quantity: 1, discount_percent: 50 },
      ends_at: '2099-01-01T10:00:30.000Z',
      applies_to: { product_ids: [shop.product] },
      status: 'draft',
    });
    await goTo(`discounts/${made.id}`);
    await shows('main h1', 'Pair');
    await shows('.chosen', /Lamp/);
    await fill('Pieces to buy', '3');
    await press('Save');
    await eventually(async () => expect((await shownPromotion()).buy).toEqual({ quantity: 3 }));
    const saved = await shownPromotion();
    expect({ ...saved, buy: made.buy, updated_at: made.updated_at }).toEqual(made);
  });

  test('tries codes on a basket and shows how its prices came about', async () => {
    await createPromotion({ name: 'Two off', code: 'TWO', type: 'fixed_amount', value: 2 });
    await goTo('discounts/try?product=Lamp');
    await press('Add Lamp');
    await fill('Codes', 'two, none');
    await shows('main', /Two off by code TWO/);
    await shows('main', /NONE does not apply|none does not apply/);
    await shows('.price-steps', /Base price: .*10\.00.*Sale price: .*8\.00/);
    await shows('tfoot', /8\.00.*2\.00.*6\.00/);
    await checkLooks('basket');
  });

  test('issues a gift card, shows its code once, finds it by its end, and disables it', async () => {
    await goTo('discounts/gift-cards');
    await shows('main', /Issue a card/);
    await fill('Amount', '50');
    await press('Issue');
    await shows('.note', /A card of .*50\.00 is issued/);
    const code = await read<string>(`document.querySelector('.note code').textContent`);
    await shows('table', new RegExp(`…${code.slice(-4)}.*Active.*50\\.00`));
    await checkLooks('gift-card');
    await goTo('discounts');
    await shows('table', /Spring sale/);
    await goTo(`discounts/gift-cards?search=${code.slice(-4).toLowerCase()}`);
    await shows('table', new RegExp(`…${code.slice(-4)}`));
    expect(await read<string>(`document.body.textContent`)).not.toContain(code);
    await press(`Disable ${code.slice(-4)}`);
    await press('Disable the card');
    await shows('table', /Disabled/);
    const { body } = await shop.read(`/v1/gift-cards?code=${code}`);
    expect(body.gift_card.status).toBe('disabled');
    await goTo('discounts/gift-cards?status=active');
    await shows('main', /No gift card/);
  });

  test('shows no gift cards to a role without payments', async () => {
    await signInAs((await join(stoa, shop, 'catalogue')).cookie, 'discounts');
    await shows('table', /Spring sale/);
    await shows('[aria-label="Discounts"]', /Try a basket/);
    expect(await read<string>(`document.querySelector('main').textContent`)).not.toContain('Gift cards');
    await goTo('discounts/gift-cards');
    await shows('main', /Your role sees no gift cards/);
  });
});
