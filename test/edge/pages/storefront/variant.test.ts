// The prices of a product's page, as the server renders them.
import { expect, test } from 'vitest';
import { openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './render/shop.ts';

test('names the lowest price before a reduction beside the reduced price alone', async () => {
  const stoa = await sharedStoa();
  const merchant = await openMerchant(stoa);
  const { keys } = merchant;
  const shop = await createShop({
    secrets: { key: keys.secret_key, hmacSecret: keys.hmac_secret },
    setting: { key: keys.publishable_key, code: keys.code },
    apiUrl: stoa.url,
    base: '/shop',
    files: { script: '/main.js', style: '/style.css' },
    origin: 'https://shop.example',
    redirects: new Map(),
  });
  const { id, product_slug, variants } = await merchant.createProduct({
    name: 'Reduced mug',
    variants: [
      { variant_attributes: { size: 'M' }, price: 40, stock: 3 },
      { variant_attributes: { size: 'L' }, price: 50, stock: 3 },
    ],
  });
  const [reduced, other] = variants!.map(({ variant_id }) => variant_id);
  const read = async (variant?: string): Promise<string> => {
    const choice = variant === undefined ? '' : `?variant=${variant}`;
    return (await shop(new Request(`http://127.0.0.1/shop/products/${product_slug}${choice}`), '')).text();
  };
  await eventually(async () => expect(await read()).toContain('<b>$40.00</b>'));
  expect(await read()).not.toContain('Lowest price');
  const lowered = await merchant.secret('PATCH', `/v1/products/${id}/variants/${reduced}`, { sale_price: 30 });
  expect(lowered.status).toBe(200);
  await eventually(async () =>
    expect(await read(reduced)).toContain('Lowest price of the 30 days before the reduction: $40.00</p>'),
  );
  expect(await read(other)).not.toContain('Lowest price');
});
