// Channels in the console, in a real browser at a phone's width: state, rejections, pause, resume and a full push.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepting, type Channel, startChannel } from '#test/services/channel/receiver.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('channels in the console', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let channel: Channel;
  const { read, shows, press, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    channel = await startChannel();
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 90_000);
  afterAll(async () => {
    channel?.close();
    await browser?.close();
  });

  const send = async (method: string, path: string, body?: object) => {
    const reply = await stoa.send(method, path, { key: keys.secret_test_key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  test('says when a store has no channel', async () => {
    await signIn(keys.secret_key);
    await press('Channels');
    await shows('#channels', 'The store has no sales channel.');
  });

  test('shows counts and rejections; pauses, resumes and pushes a channel', async () => {
    for (const name of ['Lamp', 'Chair', 'Vase']) await send('POST', '/v1/products', { name, price: 10, stock: 3 });
    channel.answer = accepting(({ name }) => (name === 'Vase' ? 'The picture is too small.' : null));
    const made = { provider: 'compass', name: 'Price Compass', url: channel.url, format: 'stoa' };
    const { id } = (await send('POST', '/v1/channels', made)).channel;
    await signIn(keys.secret_test_key);
    await press('Channels');
    await shows('#channels summary', /Price Compass.*\d{4}-\d\d-\d\d.*connected/);
    await read(`document.querySelector('#channels summary').click()`);
    await shows('#channels .counts', '3 items, 2 accepted, 1 rejected');
    await shows('#channels .rejections', /Vase.*The picture is too small\./);
    await fitsPhone();

    await press('Pause');
    await shows('#channels summary', 'paused');
    expect((await send('GET', `/v1/channels/${id}`)).channel.status).toBe('paused');
    channel.answer = accepting();
    await press('Push everything');
    await shows('[role=status]', 'Price Compass receives the whole catalogue when it is resumed.');
    await press('Resume');
    await eventually(() => expect(channel.pushes.at(-1)!.lines).toHaveLength(3));
    await shows('#channels .counts', '3 items, 3 accepted, 0 rejected');
    await shows('#channels', 'The channel rejected no product.');
  });

  test('shows why a channel fails, and retries it', async () => {
    channel.answer = () => ({ status: 503 });
    await send('POST', '/v1/products', { name: 'Table', price: 10, stock: 3 });
    await shows('#channels summary', 'failing');
    await shows('#channels .no', 'The channel responded with status 503.');
    channel.answer = accepting();
    await press('Try again now');
    await shows('#channels summary', 'connected');
    await eventually(() => expect([...channel.received.values()].map(({ name }) => name)).toContain('Table'));
    expect(browser.page.complaints).toEqual([]);
  });
});
