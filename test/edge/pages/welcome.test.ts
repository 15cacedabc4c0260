// The page at `/`: for browsers, with the demo's test keys where there is a demo.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnAnswers } from '#edge/meta.ts';
import { withWelcomePage } from '#edge/pages/welcome.ts';
import { RequestContext } from '#edge/request_context.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const KEYS = {
  secret_key: `svc_sk_live_${'a'.repeat(48)}`,
  publishable_key: `svc_pk_live_${'b'.repeat(48)}`,
  secret_test_key: `svc_sk_test_${'c'.repeat(48)}`,
  publishable_test_key: `svc_pk_test_${'d'.repeat(48)}`,
  hmac_secret: 'e'.repeat(64),
  operator_key: `svc_mk_live_${'f'.repeat(48)}`,
  operator_test_key: `svc_mk_test_${'g'.repeat(48)}`,
  wholesale: { secret_key: `svc_sk_live_${'h'.repeat(48)}`, secret_test_key: `svc_sk_test_${'i'.repeat(48)}` },
};

let stoa: Stoa;
let folder: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  folder = await mkdtemp(join(tmpdir(), 'stoa-welcome-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the page at /', () => {
  test('serves HTML to browsers and JSON to programs', async () => {
    const page = await fetch(stoa.url, { headers: { Accept: BROWSER } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('svc_');
    for (const accept of ['*/*', 'application/json'])
      expect(await (await fetch(stoa.url, { headers: { Accept: accept } })).json()).toMatchObject({ name: 'Stoa' });
  });

  test('leads to pages that are there', async () => {
    const text = await (await fetch(stoa.url, { headers: { Accept: BROWSER } })).text();
    const paths = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path!);
    expect(paths).toEqual(expect.arrayContaining(['/docs', '/console', '/sandbox/outbox']));
    for (const path of paths) expect([path, (await fetch(`${stoa.url}${path}`)).status]).toEqual([path, 200]);
  });
});

describe('the demo’s keys on it', () => {
  const shown = async (content: string | null): Promise<string> => {
    const file = join(folder, 'demo.json');
    if (content === null) await rm(file, { force: true });
    else await writeFile(file, content);
    const own: OwnAnswers = { 'Meta/GetApiInfo': () => new Response('{}') };
    const request = new Request('http://localhost/', { headers: { Accept: BROWSER } });
    return (await withWelcomePage(own, file)['Meta/GetApiInfo']!(new RequestContext(request, 'req_1'))).text();
  };

  test('shows the keys of the sandbox only', async () => {
    const text = await shown(JSON.stringify(KEYS));
    expect(text).toContain(KEYS.secret_test_key);
    expect(text).toContain(KEYS.publishable_test_key);
    expect(text).toContain(KEYS.operator_test_key);
    expect(text).toContain(KEYS.wholesale.secret_test_key);
    for (const secret of [KEYS.secret_key, KEYS.publishable_key, KEYS.hmac_secret]) expect(text).not.toContain(secret);
    for (const secret of [KEYS.operator_key, KEYS.wholesale.secret_key]) expect(text).not.toContain(secret);
  });

  test('shows the existing keys of a demo without a wholesale shop', async () => {
    const { operator_test_key: _, wholesale, ...older } = KEYS;
    const text = await shown(JSON.stringify(older));
    expect([text.includes(KEYS.secret_test_key), text.includes(wholesale.secret_test_key)]).toEqual([true, false]);
  });

  test.each([
    ['no demo', null],
    ['a file that cannot be read', '{'],
    ['a live key in a test key’s place', JSON.stringify({ ...KEYS, secret_test_key: KEYS.secret_key })],
    ['a live key in the operator’s place', JSON.stringify({ ...KEYS, operator_test_key: KEYS.operator_key })],
    ['markup in a key’s place', JSON.stringify({ ...KEYS, secret_test_key: '<b>svc_sk_test_12345678</b>' })],
  ])('are left out with %s', async (_, content) => expect(await shown(content)).not.toContain('svc_'));

  test('shows the shop’s addresses for assistants unless they could be markup', async () => {
    const shop = { ...KEYS, base_url: 'http://127.0.0.1:8080', code: 'jua-udongo' };
    expect(await shown(JSON.stringify(shop))).toContain('<code>http://127.0.0.1:8080/s/jua-udongo/mcp</code>');
    for (const wrong of [{ code: undefined }, { code: '<b>' }, { base_url: 'javascript:alert(1)//' }]) {
      const page = await shown(JSON.stringify({ ...shop, ...wrong }));
      expect(page).toContain(KEYS.secret_test_key);
      expect(page).not.toContain('/mcp');
    }
  });
});
