// How many lines a second the pricing engine prices on one core: baskets of ten lines with quantity breaks, a group's
// list, five promotions of all types and two taxes.
import { priceBasket } from '#services/pricing/basket.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import {
  BUYER,
  buyGet,
  freeShipping,
  off,
  percent,
  priceList,
  taxRule,
  ware,
} from '#test/services/pricing/price_book.ts';

const LINES = 10;
const WARES = 5_000;
const BASKETS = 1_000;
const DURATION_MS = Number(process.env.DURATION_MS ?? 2_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

const wares = Array.from({ length: WARES }, (_, at) =>
  ware({
    price: 100 + ((at * 7_919) % 20_000),
    salePrice: at % 4 === 0 ? 90 + ((at * 7_907) % 20_000) : null,
    category: `category-${at % 40}`,
    lists: [
      priceList([
        [1, 20_000],
        [5, 9_000],
        [10, 5_000],
      ]),
      priceList([[1, 4_000]], { group: 'trade' }),
    ],
  }),
);
const baskets = Array.from({ length: BASKETS }, (_, basket) =>
  Array.from({ length: LINES }, (_, line) => ({
    ware: wares[(basket * 31 + line * 997) % WARES]!,
    quantity: 1 + ((basket + line) % 12),
  })),
);
const automatic = [
  percent(10, { targets: new Set(['category-1', 'category-2', 'category-3']), stackable: true }),
  off(500, { minimum: 10_000, stackable: true }),
  buyGet(2, 1, 100, { targets: new Set(['category-5', 'category-6']) }),
  percent(5, { stackable: true }),
  freeShipping({ minimum: 20_000, stackable: true }),
];
const place = { country: 'KE', state: null, postalCode: null };
const taxes = new TaxTable(
  [taxRule(16, { shipping: true }), taxRule(2, { priority: 1, compound: true })],
  place,
  false,
);

/** By processor time, so that what else the machine does does not count. */
const linesPerSecond = (): number => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  let lines = 0;
  for (let turn = 0; performance.now() - startedAt < DURATION_MS; turn++) {
    for (const items of baskets) priceBasket({ items, buyer: BUYER, automatic, entries: [], shippingFee: 500, taxes });
    lines += BASKETS * LINES;
  }
  const { user, system } = process.cpuUsage(before);
  return (lines * 1_000_000) / (user + system);
};

linesPerSecond();
const rates = Array.from({ length: ROUNDS }, linesPerSecond).sort((a, b) => a - b);
process.stdout.write(
  `${JSON.stringify({ bench: 'pricing', case: 'engine, ten lines a basket', lines_per_second: Math.round(rates[Math.floor(ROUNDS / 2)]!) })}\n`,
);
