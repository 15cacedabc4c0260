// The drawer's snippets can be pasted: curl commands and client code repeat the page's requests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientSetupOf, codeOf, curlOf, type SnippetContext } from '#edge/pages/storefront/request_snippet.ts';
import { type Exchange, type Storefront, storefront } from '#proto/client/storefront.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NAME = `Ada's "mug" – $5 \\ \`2\``;

let stoa: Stoa;
let merchant: Merchant;
let folder: string;
let shop: Storefront;
let speaker: SnippetContext;
const exchanges: Exchange[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-spoken-'));
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  const product = await merchant.createProduct({ name: NAME, price: 12, stock: 50 });
  const key: string = merchant.keys.publishable_key;
  shop = storefront({ url: stoa.url, key, observe: (exchange) => exchanges.push(exchange) });
  speaker = { url: stoa.url, key, sessionId: shop.shopper.sessionId ?? '', token: null };
  await shop.search({ query: NAME, filters: { in_stock: true }, facets: ['brand'] });
  await shop.products.list({ fields: ['name', 'price_range.min'], limit: 3 });
  const { cart } = await shop.cart.items.add({ product_id: product.id, quantity: 2 });
  await shop.cart.items.update({ item_id: cart.items[0]!.id, quantity: 3 });
  await shop.cart.get();
  await shop.agent.checkoutIntents.create({
    items: [{ variant_id: product.variant_id!, quantity: 1 }],
    note: NAME,
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs asynchronously, since the system runs in this process. */
const run = async (program: string, ...args: string[]): Promise<string> => {
  const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'pipe', cwd: process.cwd() });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return out;
};

const SHELLS = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0);

test.each(SHELLS)('repeats each request by its curl command in %s', async (shell) => {
  const [found, , added, updated] = await Promise.all(
    exchanges.map(async (exchange) => JSON.parse(await run(shell, '-c', `${curlOf(exchange, speaker)} -s`))),
  );
  expect(found.products).toMatchObject([{ name: NAME }]);
  for (const answer of [added, updated]) expect(answer.cart.items).toMatchObject([{ name: NAME }]);
});

test('runs the client code below its set-up', async () => {
  const client = resolve('proto/client/storefront.ts');
  const code = [
    clientSetupOf(speaker).replace("'stoa-client'", JSON.stringify(client)),
    ...exchanges.map(codeOf),
    'const { cart } = await shop.cart.get();',
    'console.log(cart.items[0].quantity, cart.session_id);',
  ].join('\n');
  writeFileSync(join(folder, 'pasted.ts'), code);
  expect(await run(process.execPath, join(folder, 'pasted.ts'))).toBe(`3 ${speaker.sessionId}\n`);
});

test('includes the shopper’s session and no secret key', () => {
  const text = exchanges.map((exchange) => curlOf(exchange, { ...speaker, token: 'at_1' })).join('\n');
  expect(text).toContain("-H 'X-Auth-Token: at_1'");
  expect(text).not.toContain('svc_sk_');
});
