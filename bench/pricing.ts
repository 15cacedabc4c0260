// Measures how many lines a second the pricing engine prices on one core: baskets of ten lines with quantity breaks, a
// customer group's price list, five promotions of all types and two taxes.
import { priceBasket } from '#services/pricing/basket.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { SharedPrices } from '#services/pricing/variant_cache.ts';
import { BUYER, buyGet, freeShipping, off, percent, taxRule } from '#test/services/pricing/price_book.ts';

const LINES = 10;
const VARIANTS = 5_000;
const BASKETS = 1_000;
const DURATION_MS = Number(process.env.DURATION_MS ?? 2_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

// Terms as the variant cache stores them: the engine waits for memory.
const terms = { currency: 'USD', starts_at: null, ends_at: null };
const shared = new SharedPrices([
  { ...terms, id: 'everybody', customer_group: null },
  { ...terms, id: 'trade', customer_group: 'trade' },
]);
const listed = (price_list_id: string, min_quantity: number, price: number) => ({ price_list_id, min_quantity, price });
const variants = Array.from({ length: VARIANTS }, (_, at) =>
  shared.toVariant({
    variant_id: `variant-${at}`,
    product_id: `product-${at}`,
    category_id: `category-${at % 40}`,
    subcategory_id: null,
    collection_ids: [],
    is_active: true,
    price: 100 + ((at * 7_919) % 20_000),
    sale_price: at % 4 === 0 ? 90 + ((at * 7_907) % 20_000) : null,
    list_prices: [
      listed('everybody', 1, 20_000),
      listed('everybody', 5, 9_000),
      listed('everybody', 10, 5_000),
      listed('trade', 1, 4_000),
    ],
  }),
);
const baskets = Array.from({ length: BASKETS }, (_, basket) =>
  Array.from({ length: LINES }, (_, line) => ({
    variant: variants[(basket * 31 + line * 997) % VARIANTS]!,
    quantity: 1 + ((basket + line) % 12),
  })),
);
const inCategories = (...ids: string[]) => ({
  products: new Set<string>(),
  categories: new Set(ids),
  collections: new Set<string>(),
});
const automatic = [
  percent(10, { targets: inCategories('category-1', 'category-2', 'category-3'), stackable: true }),
  off(500, { minimum: 10_000, stackable: true }),
  buyGet(2, 1, 100, { targets: inCategories('category-5', 'category-6') }),
  percent(5, { stackable: true }),
  freeShipping({ minimum: 20_000, stackable: true }),
];
const place = { country: 'KE', state: null, postalCode: null };
const taxes = new TaxTable(
  [taxRule(16, { shipping: true }), taxRule(2, { priority: 1, compound: true })],
  place,
  false,
);

/** Counts processor time, so that other load on the machine does not count. */
const linesPerSecond = (): number => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  let lines = 0;
  while (performance.now() - startedAt < DURATION_MS) {
    for (const items of baskets) priceBasket({ items, buyer: BUYER, automatic, codes: [], shippingFee: 500, taxes });
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
