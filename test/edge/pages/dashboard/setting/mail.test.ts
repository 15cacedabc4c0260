// The screens of mails in a real browser: the kinds, a template that is edited, refused with its line, previewed, saved and
// reset, and a mail whose script does not run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the screens of mails', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const template = async () =>
    (await stoa.send('GET', '/v1/mail-templates/order_placed', { key: keys.secret_key })).body.mail_template;
  const save = (): Promise<unknown> => read(`document.querySelector('main form').requestSubmit()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ name: 'Lamp shop' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'settings/mails');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('list the kinds that a store may change, with their state', async () => {
    await shows('.mail-kinds', /Order placed\s*Sent/);
    await shows('.mail-kinds', /Abandoned cart\s*Off/);
    expect(await read(`document.querySelector('.mail-kinds').textContent.includes('One-time code')`)).toBe(false);
    await checkLooks('mails');
  });

  test('preview the template, and the draft without saving it', async () => {
    await goTo('settings/mails/order_placed');
    await shows('.mail-subject', 'Your order 1001 at Lamp shop');
    await shows('.mail-variables', /order\.number/);
    await fill('Subject', 'Thank you for {{ order.number }}');
    await press('Show the draft');
    await shows('.mail-subject', 'Thank you for 1001');
    expect((await template()).changed).toBe(false);
    await checkLooks('mail');
  });

  test('refuse an unknown variable at its field with its line', async () => {
    await fill('Text', 'Dear shopper,\n{{ order.nubmer }}');
    await save();
    await shows('main form', /Line 2 of the template's text is wrong: undefined variable: order\.nubmer/);
    expect((await template()).changed).toBe(false);
    await fill('Text', 'Dear shopper, {{ order.number }}');
  });

  test('save a template whose script does not run, and go back to the built-in one', async () => {
    await fill('HTML', '<p>Hi</p><script>parent.ran = true</script><img src="x" onerror="parent.ran = true">');
    await save();
    await eventually(async () => expect((await template()).subject).toBe('Thank you for {{ order.number }}'));
    await shows('.mail-subject', 'Thank you for 1001');
    expect(await read('window.ran === undefined')).toBe(true);
    await press('Use the built-in template');
    await press('Use it');
    await eventually(async () => expect((await template()).changed).toBe(false));
    // The form starts again from the built-in template, and would forget an earlier click.
    await eventually(async () =>
      expect(
        await read(`[...document.querySelectorAll('main form input')].map((each) => each.value).join()`),
      ).toContain('Your order'),
    );
  });

  test('show what another person changed in a template, and lose no input', async () => {
    const path = '/v1/mail-templates/order_placed';
    await fill('Subject', 'Hello {{ order.number }}');
    await stoa.send('PUT', path, { key: keys.secret_key, body: { subject: 'Welcome', text: 'By them' } });
    await save();
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Subject.*Theirs: Welcome.*Yours: Hello/);
    await shows('dialog', /Text.*Theirs: By them/);
    await checkLooks('mail-conflict');
    await press('Continue');
    await save();
    await eventually(async () =>
      expect(await template()).toMatchObject({ subject: 'Hello {{ order.number }}', text: 'By them' }),
    );
  });

  test('show and save the template of another language', async () => {
    const { status } = await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { languages: ['de'] } });
    expect(status).toBe(200);
    await goTo('settings/mails/order_paid');
    await shows('.mail-subject', 'Your payment for order 1001');
    await fill('Language', 'de');
    await shows('.mail-subject', 'Ihre Zahlung für Bestellung 1001');
    await checkLooks('mail-language');
    await fill('Subject', 'Danke für {{ order.number }}');
    await save();
    const read = () => stoa.send('GET', '/v1/mail-templates/order_paid', { key: keys.secret_key });
    await eventually(async () =>
      expect((await read()).body.mail_template).toMatchObject({
        subject: 'Your payment for order {{ order.number }}',
        translations: { de: { subject: 'Danke für {{ order.number }}' } },
      }),
    );
    await goTo('settings/mails/order_placed');
    await shows('.mail-subject', 'Hello 1001');
  });

  test('turn a kind off', async () => {
    await read(`document.querySelector('main form input[type=checkbox]').click()`);
    await save();
    await eventually(async () => expect((await template()).enabled).toBe(false));
    await shows('main .badge', 'Off');
  });
});
