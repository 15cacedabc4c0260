// A buyer completes an assistant's checkout on a phone, in a real browser; the console names the assistant.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, connect, openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('a checkout that an assistant began', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: Shop;
  let browser: Browser;
  const { read, shows, press, type, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await openShop(stoa);
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('lets its buyer complete it, and names the assistant in the order', async () => {
    const client = await connect(shop, shop.merchant.keys.publishable_test_key, 'Parrot');
    const checkout = { line_items: [{ item: { id: shop.mug }, quantity: 2 }] };
    const { continue_url } = await call(client, 'create_checkout', { checkout });
    await client.close();
    await browser.page.open(continue_url);
    await shows('h1', 'Your order');
    await shows('.sum', /Prepared by Parrot/);
    await shows('[role=status]', 'Still needed');
    await fitsPhone();
    const fields = {
      email: 'ada@example.com',
      'shipping_address-line1': '12 Moi Avenue',
      'shipping_address-city': 'Nairobi',
      'shipping_address-country': 'KE',
    };
    for (const [field, text] of Object.entries(fields)) await type(`#${field}`, text);
    await press('Continue');
    await shows('legend', 'Delivery method');
    await read(`document.querySelector('input[value=place]').click()`);
    await press('Continue');
    await shows('button', 'Pay 25.00 USD with a test card');
    await fitsPhone();
    expect(
      await read(
        '[...document.querySelectorAll("input, select, textarea")].every((e) => e.labels?.length || e.type === "hidden")',
      ),
    ).toBe(true);
    await press('Pay 25.00 USD with a test card');
    await shows('h1', 'Thank you');
    expect(browser.page.complaints).toEqual([]);
    await signIn(shop.merchant.keys.secret_test_key);
    await press('Orders');
    await shows('#orders summary', '1001');
    await read(`document.querySelector('#orders summary').click()`);
    await shows('#orders .assistants', /started by Parrot over MCP, completed by the buyer/);
    await fitsPhone();
    await press('Assistants');
    await shows('#checkouts summary', /25\.00 USD Parrot over MCP.*completed/);
    await shows('#protocols', /\/mcp.*\/\.well-known\/ucp.*\/acp/);
    await fitsPhone();
  });

  test('cannot be started after the owner switches the protocol off', async () => {
    await signIn(shop.merchant.keys.secret_key);
    await press('Assistants');
    await shows('#checkouts', 'No checkout was started yet.');
    const post = () => fetch(`${shop.base}/mcp`, { method: 'POST', body: '{}' });
    expect((await post()).status).not.toBe(404);
    await read(`document.querySelector('input[name=mcp]').click()`);
    await shows('#protocols [role=status]', 'MCP is off.');
    expect((await post()).status).toBe(404);
  });
});
