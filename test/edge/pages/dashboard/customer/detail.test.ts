// Customers in the dashboard, in a real browser: found, created, changed, granted credit, deleted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  basket,
  createSingleProductStore,
  placeOrder,
  type SingleProductStore,
} from '#test/services/order/single_product_store.ts';
import { dashboard, join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the customers of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: SingleProductStore;
  let browser: Browser;
  let ada: string;
  let manager: string;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const submit = () => read(`document.querySelector('dialog form').requestSubmit()`);
  const readCustomer = (id: string) => dashboard(stoa, 'GET', `/v1/customers/${id}`, { cookie: manager });
  const customer = async (id: string) => (await readCustomer(id)).body.customer;

  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await createSingleProductStore(stoa, { stock: 100 });
    for (const [email, first_name, last_name] of [
      ['ada@example.com', 'Ada', 'Mwangi'],
      ['grace@example.com', 'Grace', 'Otieno'],
    ]) {
      const made = await shop.write('POST', '/v1/customers', { email, first_name, last_name });
      expect(made.status, made.text).toBe(201);
      ada ??= made.body.customer.id;
    }
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    manager = (await join(stoa, shop, 'manager')).cookie;
    await signInAs(manager, 'customers');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('searches customers by last name, in the address', async () => {
    await shows('table', /ada@example\.com/);
    await checkLooks('customers');
    await goTo('customers?search=otien');
    await eventually(async () =>
      expect(await read(`document.querySelector('table').textContent`)).not.toContain('ada@'),
    );
    await shows('table', /grace@example\.com/);
  });

  test('creates a customer, and shows a taken address at its field', async () => {
    await goTo('customers/new');
    await shows('main h1', 'New customer');
    await fill('E-mail', 'ada@example.com');
    await press('Create');
    await shows('.refusal', /Another customer has this e-mail address/);
    await fill('E-mail', 'mary@example.com');
    await fill('First name', 'Mary');
    await fill('Group', 'Wholesale');
    await checkLooks('new-customer');
    await press('Create');
    await shows('main h1', 'Mary');
    await shows('.page-head .badge', 'Wholesale');
  });

  test('changes the contact, the group and the addresses, and takes a removal back', async () => {
    await goTo(`customers/${ada}`);
    await shows('main h1', 'Ada Mwangi');
    await fill('Phone', '+254700000000');
    await press('Save');
    await eventually(async () => expect((await customer(ada)).phone).toBe('+254700000000'));
    await fill('Group', 'Friends');
    await press('Set the group');
    await eventually(async () => expect((await customer(ada)).group).toBe('Friends'));
    await press('Add');
    await fill('City', 'Nairobi');
    await fill('Country', 'KE');
    await submit();
    await shows('dialog .refusal', /line1/);
    await fill('Address', '12 Moi Avenue');
    await submit();
    await shows('address', /12 Moi Avenue/);
    await press('Remove the address 12 Moi Avenue');
    await eventually(async () => expect((await customer(ada)).addresses).toEqual([]));
    await press('Undo');
    await shows('address', /12 Moi Avenue/);
    expect((await customer(ada)).addresses).toMatchObject([{ line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' }]);
  });

  test('shows what another person changed in the contact and in an address, and loses no input', async () => {
    const path = `/v1/customers/${ada}`;
    const change = (body: object) => dashboard(stoa, 'PATCH', path, { cookie: manager, body });
    await fill('Last name', 'Mwangi-Otieno');
    await change({ last_name: 'Wanjiru', first_name: 'Adah' });
    await press('Save');
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /First name.*Theirs: Adah/);
    await shows('dialog', /Last name.*Theirs: Wanjiru.*Yours: Mwangi-Otieno/);
    await checkLooks('customer-conflict');
    await browser.page.resize(1280, 900);
    await press('Continue');
    await press('Save');
    await eventually(async () =>
      expect(await customer(ada)).toMatchObject({ first_name: 'Adah', last_name: 'Mwangi-Otieno' }),
    );
    await press('Change the address 12 Moi Avenue');
    await fill('Address', '14 Moi Avenue');
    const second = { line1: '1 Uhuru Road', city: 'Mombasa', country: 'KE' };
    await change({ addresses: [second, { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' }] });
    await submit();
    await eventually(async () =>
      expect((await customer(ada)).addresses).toMatchObject([second, { line1: '14 Moi Avenue' }]),
    );
    await press('Change the address 14 Moi Avenue');
    await fill('City', 'Kisumu');
    await change({ addresses: [second, { line1: '16 Moi Avenue', city: 'Nairobi', country: 'KE' }] });
    await submit();
    await shows('dialog dialog', /Address.*Theirs: 16 Moi Avenue/);
    await press('Continue');
    await submit();
    await eventually(async () =>
      expect((await customer(ada)).addresses).toMatchObject([second, { line1: '16 Moi Avenue', city: 'Kisumu' }]),
    );
    await change({ first_name: 'Ada', last_name: 'Mwangi', addresses: [] });
    await goTo('customers');
    await goTo(`customers/${ada}`);
    await shows('main h1', 'Ada Mwangi');
  });

  test('grants store credit with a reason, and lists the orders', async () => {
    const order = await placeOrder(shop, { ...basket(shop, 1), customer_id: ada });
    await goTo('customers');
    await goTo(`customers/${ada}`);
    await shows('main', new RegExp(`#${order.order_number}`));
    await press('Grant');
    await fill('Amount', '0');
    await submit();
    await shows('dialog .refusal', /./);
    await fill('Amount', '25');
    await fill('Reason', 'Goodwill');
    await submit();
    await shows('main', /25\.00 left/);
    await shows('main', /Goodwill/);
    await checkLooks('customer');
  });

  test('lists the sessions of a customer, and ends one and all of them', async () => {
    const account = { email: 'nia@example.com', password: 'correct horse battery' };
    const { customer, session } = (await shop.write('POST', '/v1/auth/register', account)).body;
    const tokens = [session.access_token];
    for (let more = 0; more < 2; more++)
      tokens.push(
        (
          await stoa.send('POST', '/v1/auth/login', {
            key: shop.secret_key,
            body: account,
            headers: { 'x-shopper-user-agent': 'Firefox/140.0 (Android)' },
          })
        ).body.session.access_token,
      );
    const status = async (token: string) =>
      (await stoa.send('GET', '/v1/auth/me', { key: shop.secret_key, headers: { 'x-auth-token': token } })).status;
    const rows = () => read<number>(`document.querySelectorAll('table[aria-label="Sessions"] tbody tr').length`);
    await goTo(`customers/${customer.id}`);
    await eventually(async () => expect(await rows()).toBe(3));
    await shows('table[aria-label="Sessions"]', /Firefox\/140\.0 \(Android\)/);
    await checkLooks('customer-sessions');
    await read(`document.querySelector('table[aria-label="Sessions"] tbody button').click()`);
    await eventually(async () => expect(await rows()).toBe(2));
    expect(await Promise.all(tokens.map(status))).toEqual([200, 200, 401]);
    await press('End all');
    await shows('dialog', /nia@example\.com is signed out on every device/);
    await checkLooks('customer-sessions-end');
    await press('End all sessions');
    await shows('main', /Not signed in/);
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 401]);
  });

  test('deletes a customer once the address is typed', async () => {
    await goTo(`customers/${ada}`);
    await shows('main h1', 'Ada Mwangi');
    await press('Delete');
    await fill('Type the e-mail address to confirm', 'grace@example.com');
    expect(await read(`document.querySelector('dialog button[type=submit]').disabled`)).toBe(true);
    await fill('Type the e-mail address to confirm', 'ADA@example.com');
    await eventually(async () =>
      expect(await read(`document.querySelector('dialog button[type=submit]').disabled`)).toBe(false),
    );
    await submit();
    await shows('main h1', 'Customers');
    expect((await readCustomer(ada)).status).toBe(404);
  });

  test('exports a customer’s data as a file, and erases the customer, both for an owner alone', async () => {
    const given = { email: 'mia@example.com', first_name: 'Mia' };
    const { id } = (await shop.write('POST', '/v1/customers', given)).body.customer;
    await goTo(`customers/${id}`);
    await shows('main h1', 'Mia');
    expect(await read<string>(`document.querySelector('main').textContent`)).not.toContain('Export as a file');
    await signInAs((await join(stoa, shop, 'owner')).cookie, `customers/${id}`);
    await shows('main h1', 'Mia');
    await read(`(() => {
      const url = URL.createObjectURL;
      URL.createObjectURL = (file) => {
        file.text().then((text) => { window.saved = text; });
        return url(file);
      };
      HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
    })()`);
    await press('Export as a file');
    await eventually(async () => expect(await read(`JSON.parse(window.saved).customer.email`)).toBe(given.email));
    expect(await read(`window.savedAs`)).toBe(`customer-${id}.json`);
    await press('Erase');
    await shows('dialog', /Reviews keep their text/);
    await checkLooks('customer-erase');
    await fill('Type the e-mail address to confirm', given.email);
    expect(await read(`document.querySelector('dialog button[type=submit]').disabled`)).toBe(true);
    await fill('Reason', 'Request of 3 May');
    await eventually(async () =>
      expect(await read(`document.querySelector('dialog button[type=submit]').disabled`)).toBe(false),
    );
    await submit();
    await eventually(async () => {
      const { status, body } = await stoa.send('GET', `/v1/customers/${id}/erasure`, { key: shop.secret_key });
      expect([status, body?.erasure?.status]).toEqual([200, 'complete']);
    });
    expect((await readCustomer(id)).status).toBe(404);
  });

  test('shows an analyst no button', async () => {
    await signInAs((await join(stoa, shop, 'analyst')).cookie, 'customers');
    await shows('table', /grace@example\.com/);
    expect(await read<string>(`document.querySelector('main').textContent`)).not.toContain('New customer');
    // Refusals are expected: a taken address, an address without its first line, earlier versions, and a grant of nothing.
    expect(browser.page.complaints.filter((text) => !/customers|store-credit/.test(text))).toEqual([]);
  });
});
