// Content in a real browser: a post is written and published, hotspots are placed on a lookbook's picture, a policy gets versions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { png } from '#test/support/picture.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('content', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let kettle: string;
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const merchant = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await stoa.send(method, path, { key: keys.secret_key, body, signWith: keys.hmac_secret });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const shopper = (path: string): Promise<Reply> => stoa.send('GET', path, { key: keys.publishable_key });
  /** Picks a picture in the file field with this label. */
  const upload = async (label: string): Promise<void> => {
    const bytes = (await png(400, 200)).toString('base64');
    const picked = await read<boolean>(`(() => {
      const label = [...document.querySelectorAll('label.unseen')].find((each) => each.textContent === ${JSON.stringify(label)});
      const input = label && document.getElementById(label.htmlFor);
      if (!input) return false;
      const bytes = Uint8Array.from(atob(${JSON.stringify(bytes)}), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'kettle.png', { type: 'image/png' }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      return true;
    })()`);
    expect(picked, label).toBe(true);
  };
  const confirm = (): Promise<unknown> => read(`document.querySelector('dialog .buttons button:last-child').click()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    kettle = (await merchant('POST', '/v1/products', { name: 'Gooseneck kettle', price: 48, stock: 5 })).id;
    await signInAs((await join(stoa, keys, 'manager')).cookie, 'content');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('writes a post with a cover picture, publishes it and takes it back', async () => {
    await goTo('content/posts/new');
    await shows('main h1', 'New post');
    await press('Save as a draft');
    await shows('.refusal', /title/);
    await fill('Title', 'How a kiondo is woven');
    await fill('Text', '## Sisal first');
    await fill('Tags', 'craft, sisal');
    await upload('Cover picture');
    await shows('button', /Remove cover picture/);
    await press('Save as a draft');
    await shows('main h1', 'How a kiondo is woven');
    const path = '/v1/blog/posts/how-a-kiondo-is-woven';
    expect((await shopper(path)).status).toBe(404);
    await checkLooks('post');
    await press('Publish');
    await shows('.page-head', /Published/);
    await eventually(async () => expect((await shopper(path)).status).toBe(200));
    const { post } = (await shopper(path)).body;
    expect([post.tags, post.cover_image]).toEqual([['craft', 'sisal'], expect.stringContaining('/media/')]);
    await goTo('content?kind=posts&status=published');
    await shows('table', /How a kiondo is woven/);
    await checkLooks('content');
    await goTo('content/posts/how-a-kiondo-is-woven');
    await press('Unpublish');
    await shows('.page-head', /Draft/);
    await eventually(async () => expect((await shopper(path)).status).toBe(404));
  });

  test('schedules a post at a time of the store', async () => {
    await fill('Publish at', '2999-01-02T09:30');
    await press('Schedule');
    await shows('.page-head', /Scheduled/);
    const { post } = await merchant('GET', '/v1/blog/posts/how-a-kiondo-is-woven');
    const { store } = await merchant('GET', '/v1/store');
    const shown = new Date(post.published_at).toLocaleString('sv-SE', { timeZone: store.timezone });
    expect(shown).toBe('2999-01-02 09:30:00');
  });

  test('shows what another person changed in a post, and loses no input', async () => {
    const path = '/v1/blog/posts/how-a-kiondo-is-woven';
    const { post } = await merchant('GET', path);
    const change = (fields: object) => merchant('PATCH', `/v1/blog/posts/${post.id}`, fields);
    const saved = async () => (await merchant('GET', path)).post;
    await fill('Author', 'Wanjiru');
    await fill('Excerpt', 'From sisal to basket.');
    await change({ excerpt: 'A basket in four days.', seo_title: 'Kiondo' });
    await press('Save');
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Excerpt.*Theirs: A basket in four days.*Yours: From sisal to basket/);
    await shows('dialog', /Title for search engines.*Kiondo/);
    await checkLooks('post-conflict');
    await press('Continue');
    await press('Save');
    const written = { author: 'Wanjiru', excerpt: 'From sisal to basket.', seo_title: 'Kiondo' };
    await eventually(async () => expect(await saved()).toMatchObject(written));
    // The form does not show the status, so its change is no conflict.
    await fill('Author', 'Njeri');
    await change({ status: 'draft' });
    await press('Save');
    await eventually(async () => expect(await saved()).toMatchObject({ ...written, author: 'Njeri', status: 'draft' }));
    expect(await read(`document.querySelector('dialog')`)).toBeNull();
  });

  test('places hotspots on a picture by a click, by the keyboard and by numbers', async () => {
    await goTo('content/lookbooks/new');
    await shows('main h1', 'New lookbook');
    await fill('Title', 'Slow mornings');
    await upload('Pictures');
    await shows('main', /Click on the picture/);
    await eventually(async () =>
      expect(await read('document.querySelector(".hotspot-room img")?.naturalWidth')).toBeGreaterThan(0),
    );
    await read(`(() => {
      const room = document.querySelector('.hotspot-room');
      const { left, top, width, height } = room.getBoundingClientRect();
      room.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, clientX: left + width / 4, clientY: top + height * 0.6 }));
    })()`);
    await shows('.hotspot legend', 'Hotspot 1: no product yet');
    await press('Save as a draft');
    await shows('.hotspot .refusal', /product_id/);
    await fill('Find its product', 'gooseneck');
    await press('Choose Gooseneck kettle');
    await shows('.hotspot legend', 'Hotspot 1: Gooseneck kettle');
    await checkLooks('lookbook');

    await click('.hotspot-room');
    await shows('.hotspot legend', 'Hotspot 2: no product yet');
    await read(`document.querySelectorAll('.hotspot-mark')[1].dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))`);
    await fill('From above', '12.5');
    await fill('Label', 'The lid');
    await fill('Find its product', 'gooseneck');
    await press('Choose Gooseneck kettle');
    await press('Save as a draft');
    await shows('main h1', 'Slow mornings');
    await press('Publish');
    await shows('.page-head', /Published/);
    await eventually(async () => expect((await shopper('/v1/lookbooks/slow-mornings')).status).toBe(200));
    const { images } = (await shopper('/v1/lookbooks/slow-mornings')).body;
    const [first, second] = images[0].hotspots;
    expect(first).toMatchObject({ x: expect.closeTo(0.25, 2), y: expect.closeTo(0.6, 2), product_id: kettle });
    expect(second).toMatchObject({ x: 0.51, y: 0.125, label: 'The lid', product_id: kettle });
  });

  test('saves a draft of a policy, and publishes it as versions that stay readable', async () => {
    await goTo('content?kind=policies');
    await shows('table', /Returns[\s\S]*Not published/);
    await goTo('content/policies/returns');
    await fill('Text', 'Within 30 days.');
    await press('Save the draft');
    await shows('.page-head', /Draft/);
    expect((await shopper('/v1/store/policies/returns')).status).toBe(404);
    await press('Publish version 1');
    await confirm();
    await shows('.policy-text', 'Within 30 days.');
    await fill('Text', 'Within 60 days.');
    await press('Publish version 2');
    await confirm();
    await shows('.policy-text', 'Within 60 days.');
    await checkLooks('policy');
    await goTo('content/policies/returns?version=1');
    await shows('.policy-text', 'Within 30 days.');
    expect((await shopper('/v1/store/policies/returns')).body.policy).toMatchObject({
      version: 2,
      body: 'Within 60 days.',
    });
  });

  test('shows messages on a telephone beside the buttons of a form', async () => {
    await browser.page.resize(390, 844);
    await goTo('content/policies/returns');
    await fill('Text', 'Within 90 days.');
    await press('Save the draft');
    await shows('.toast', 'The draft is saved.');
    await read('window.scrollTo(0, 0)');
    const covered = await read<string[]>(`[...document.querySelectorAll('main button')].filter((button) => {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      const toasts = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect());
      return toasts.some((toast) =>
        left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top);
    }).map((button) => button.textContent)`);
    await browser.page.resize(1280, 900);
    expect(covered).toEqual([]);
  });

  test('hides each change from a role that may only read', async () => {
    await signInAs((await join(stoa, keys, 'support')).cookie, 'content/posts/how-a-kiondo-is-woven');
    await shows('main h1', 'How a kiondo is woven');
    expect(await read('document.querySelectorAll(".page-head button, main form button[type=submit]").length')).toBe(0);
  });
});
