// Staff in the dashboard, in a real browser: invitation, sign-in with a second factor, a session that ends under a form,
// roles without a scope, other sessions.
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeAt, invite, join, newEmail, PASSWORD } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('staff in the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let readers = 0;
  const { checkLooks, read, shows, press, click, type, fill, goTo, signInAs, signInWithPassword } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await startStoa({ trustedProxies: '127.0.0.1' });
    keys = await stoa.createStore();
    browser = await openBrowser(program!);
    await browser.page.resize(390, 844);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await stoa?.stop();
  });
  // A limit counts the sign-ins of an address: each test's reader comes from another one.
  beforeEach(() => browser.page.headers({ 'X-Forwarded-For': `198.51.100.${++readers}` }));

  const signOut = async (): Promise<void> => {
    await press('Menu');
    await read(`document.querySelector('dialog .account button').click()`);
    await shows('main h1', 'Dashboard');
  };

  test('makes an account from an invitation, and signs in', async () => {
    const { body } = await invite(stoa, keys, { email: newEmail(), role: 'owner' });
    const { pathname, search } = new URL(body.link);
    await browser.page.open(`${stoa.url}${pathname}${search}`);
    await shows('main', 'You are invited');
    await checkLooks('invitation');
    await browser.page.resize(390, 844);
    await fill('Your name', 'Ada Byron');
    await fill('Password', 'short');
    await press('Join the staff');
    await shows('.refusal', /10/);
    await fill('Password', PASSWORD);
    await press('Join the staff');
    await shows('main h1', 'Home');
    expect(await read('location.href')).toBe(`${stoa.url}/dashboard`);
    await press('Menu');
    await shows('dialog .account', /Ada Byron.*owner/);
    await checkLooks('menu');
    await browser.page.resize(390, 844);
    await press('Close');
    await browser.page.open(`${stoa.url}/dashboard/sandbox/design`);
    await shows('main h1', 'Design');
    await goTo('');
    await signOut();
    await checkLooks('sign-in');
    await browser.page.resize(390, 844);
  });

  test('asks for the second factor that the account has', async () => {
    const { email } = await join(stoa, keys, 'owner');
    await signInWithPassword(email, PASSWORD);
    await goTo('account');
    await press('Set it up');
    await shows('#totp-secret', /\S/);
    await checkLooks('account');
    await browser.page.resize(390, 844);
    const secret = (await read<string>(`document.querySelector('#totp-secret').textContent`)).replaceAll(' ', '');
    await read(`document.querySelector('.qr-code').scrollIntoView({ block: 'center' })`);
    const picture = sharp(Buffer.from(await browser.page.picture(), 'base64'))
      .ensureAlpha()
      .raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    expect(decodeQR({ width: info.width, height: info.height, data })).toContain(`secret=${secret}&`);
    await fill('Code', codeAt(secret, Date.now()));
    await press('Turn it on');
    await shows('#recovery-codes', /\w+-\w+/);
    const [recovery] = (await read<string>(`document.querySelector('#recovery-codes').textContent`)).split('\n');
    await goTo('');
    await signOut();
    await type('#email', email);
    await type('#password', PASSWORD);
    await press('Sign in');
    await shows('label[for=factor]', 'Code of your authenticator app');
    expect(await read(`document.querySelector('.refusal') === null`)).toBe(true);
    await type('#factor', recovery!);
    await press('Sign in');
    await shows('main h1', 'Home');
    await signOut();
  });

  test('retains the input of a form when the session ends', async () => {
    const { email } = await join(stoa, keys, 'owner');
    await signInWithPassword(email, PASSWORD);
    await goTo('account');
    await fill('Current password', PASSWORD);
    await fill('New password', 'another horse battery');
    const headers = `{ 'X-Stoa-Dashboard': 'production' }`;
    await read(`window.ended = 0; fetch('/v1/staff/session', { method: 'DELETE', headers: ${headers} })
      .then(({ status }) => { window.ended = status; }); 0`);
    await eventually(async () => expect(await read('window.ended')).toBe(200));
    await press('Change the password');
    await shows('dialog', 'Your session has ended. Your input is still here.');
    await type('dialog #password', PASSWORD);
    await click('dialog button[type=submit]');
    await shows('.toast', 'The password is changed.');
    await goTo('');
    await signOut();
    await signInWithPassword(email, 'another horse battery');
    await signOut();
  });

  test('asks before unsaved input is lost, and not once it is saved', async () => {
    const { cookie } = await join(stoa, keys, 'owner');
    await signInAs(cookie, 'settings');
    await read(`window.asked = 0; window.confirm = () => { window.asked++; return false; }; 0`);
    await fill('Phone', '+254700000000');
    await goTo('orders');
    expect(await read('[window.asked, location.pathname]')).toEqual([1, '/dashboard/settings']);
    await press('Save');
    await shows('.toast', /saved/);
    await goTo('orders');
    await shows('.frame main h1', 'Orders');
    expect(await read('window.asked')).toBe(1);
    await goTo('');
    await signOut();
  });

  test('asks before the browser’s way back loses input', async () => {
    const { cookie } = await join(stoa, keys, 'owner');
    await signInAs(cookie, 'orders');
    await goTo('products/new');
    await shows('.frame main h1', 'New product');
    await read(`window.asked = 0; window.confirm = () => { window.asked++; return false; }; 0`);
    await fill('Name', 'Half a lamp');
    await read('history.back()');
    await eventually(async () => expect(await read('window.asked')).toBe(1));
    expect(await read('location.pathname')).toBe('/dashboard/products/new');
    expect(await read(`document.querySelector('main form input').value`)).toBe('Half a lamp');
    await read('window.confirm = () => true');
    await read('history.back()');
    await shows('.frame main h1', 'Orders');
    await goTo('');
    await signOut();
  });

  test('sends a picture and a price of the grid again once a session that ended is renewed', async () => {
    const { cookie } = await join(stoa, keys, 'owner');
    const product = { name: 'Vase', price: 10, stock: 2 };
    const made = await stoa.send('POST', '/v1/products', { key: keys.secret_key, body: product });
    expect(made.status, made.text).toBe(201);
    await signInAs(cookie, 'products');
    await shows('table', /Vase/);
    const end = async (): Promise<void> => {
      const headers = `{ 'X-Stoa-Dashboard': 'production' }`;
      await read(`window.ended = 0; fetch('/v1/staff/session', { method: 'DELETE', headers: ${headers} })
        .then(({ status }) => { window.ended = status; }); 0`);
      await eventually(async () => expect(await read('window.ended')).toBe(200));
    };
    const renew = async (): Promise<void> => {
      await shows('dialog', 'Your session has ended. Your input is still here.');
      await type('dialog #password', PASSWORD);
      await click('dialog button[type=submit]');
      await eventually(async () => expect(await read(`document.querySelector('dialog')`)).toBeNull());
    };
    await end();
    await type('input[aria-label="Price of Vase"]', '12');
    await read(`document.querySelector('input[aria-label="Price of Vase"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))`);
    await renew();
    await shows('.toasts', 'Vase now costs $12.00.');
    await goTo(`products/${made.body.id}`);
    await shows('.frame main h1', 'Vase');
    await end();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await read(`(() => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0))], 'vase.png'));
      document.querySelector('.file-drop[aria-label=Pictures]')
        .dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    })()`);
    await renew();
    await shows('label', 'Text for picture 1');
    await read('window.confirm = () => true');
    await goTo('');
    await signOut();
  });

  test('changes people and the store’s profile from the sandbox, too', async () => {
    const { cookie, email } = await join(stoa, keys, 'owner');
    await signInAs(cookie, 'sandbox/settings/staff');
    await shows('table', new RegExp(email.replace('.', '\\.')));
    await goTo('settings/keys');
    await shows('table', /Secret key/);
    await goTo('settings');
    await fill('Phone', '+254711111111');
    await press('Save');
    await shows('.toast', /saved/);
    await shows('main', 'Production has the same profile');
    const { body } = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
    expect(body.store.contact_phone).toBe('+254711111111');
    await goTo('');
    await signOut();
  });

  test('shows a role only what it may do', async () => {
    const { cookie } = await join(stoa, keys, 'catalogue');
    await signInAs(cookie);
    await press('Menu');
    expect(await read(`document.querySelector('dialog nav, dialog').textContent`)).not.toContain('Payments');
    await press('Close');
    await goTo('payments');
    await shows('main', 'Your role does not open Payments');
    await signOut();
    const manager = await join(stoa, keys, 'manager');
    await signInAs(manager.cookie, 'developers');
    await shows('nav[aria-label=Developers] [aria-current]', 'Events');
    expect(await read(`document.querySelector('nav[aria-label=Developers]').textContent`)).not.toContain('Traffic');
    await signOut();
  });

  test('lists sessions and ends another one', async () => {
    const { email, cookie } = await join(stoa, keys, 'support');
    await signInWithPassword(email, PASSWORD);
    await goTo('account');
    await shows('table', /this one/);
    await press('End');
    await shows('.toast', 'The session has ended.');
    const other = await fetch(`${stoa.url}/v1/staff/session`, {
      headers: { Cookie: cookie, 'X-Stoa-Dashboard': 'production' },
    });
    expect(other.status).toBe(401);
    expect(browser.page.complaints.filter((text) => !/40[0139]/.test(text))).toEqual([]);
  });
});
