// Every page of the edge, by its list of routes: what a browser lets the page do, and who may frame it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIL_PREVIEW_PATH } from '#edge/pages/mail_preview.ts';
import { pageRoutes } from '#edge/pages/page_route.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { Services } from '#test/edge/gates/stand_in.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa({ demoPictures: DEMO_PICTURES });
});
afterAll(() => stoa?.stop());

const PATHS = [
  '/',
  ...pageRoutes({
    wire: new Services(),
    publicUrl: () => '',
    demoFile: '',
    demoPictures: DEMO_PICTURES,
    clientOf: () => '',
  })
    .filter(({ verbs }) => verbs.includes('GET'))
    .map(({ path }) => path.replace(/:\w+|\*/g, 'none')),
];

/** Pages that others frame: mails in the dashboard, card fields in shops. */
const FRAMED = [MAIL_PREVIEW_PATH, '/pay/none/element'];

const directivesOf = (policy: string): ReadonlyMap<string, string> =>
  new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources.join(' ')];
    }),
  );

describe.each(PATHS)('GET %s', (path) => {
  test('runs no script of others or in the page’s text, and names the sites that may frame it', async () => {
    const answer = await fetch(`${stoa.url}${path}`, { redirect: 'manual' });
    await answer.arrayBuffer();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return;
    const policy = directivesOf(answer.headers.get('content-security-policy') ?? '');
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('script-src') ?? '').not.toMatch(/unsafe|\*|https:(?!\/\/)|data:|blob:/);
    expect(policy.get('style-src') ?? '').not.toMatch(/unsafe|\*/);
    if (!FRAMED.includes(path)) expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
