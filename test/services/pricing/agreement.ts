// Compares every response about one basket with the oracle: the engine, a pricing query, a tax preview, an order, a
// cart, and frozen lines.
import type { PreviewTaxResponse, QueryPricesResponse } from '#proto/gen/pricing.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { cartKey, NO_CART } from '#services/cart/cart.ts';
import { cartDocument } from '#services/cart/cart_document.ts';
import { type Basket, priceBasket } from '#services/pricing/basket.ts';
import { candidatePromotions } from '#services/pricing/candidate.ts';
import { previewTaxResponse, priceBasketResponse, queryPricesResponse } from '#services/pricing/document.ts';
import { taxFrozenLines } from '#services/pricing/frozen.ts';
import { compile } from '#services/pricing/rule_cache.ts';
import type { TaxedAmount, TaxTable } from '#services/pricing/tax.ts';
import { taxRuleOf } from '#services/pricing/tax_rate.ts';
import { currencyOf } from '#values/currency.ts';
import { type ExpectedResult, expectedResult, type OracleTax, ratesOfLine, ratesOfShipping, taxOf } from './oracle.ts';
import { type Case, isCart } from './random_basket.ts';

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));

/** Faster than `expect`, which would take longer than pricing so many baskets. */
const same = (what: string, found: unknown, expected: unknown): void => {
  const [a, b] = [text(found), text(expected)];
  if (a !== b) throw new Error(`${what} is ${a}, by the oracle ${b}`);
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n);

const compareTax = (what: string, found: TaxedAmount, expected: OracleTax): void => {
  same(`${what}: what is taxed`, [found.taxable, found.tax], [expected.taxable, expected.tax]);
  same(`${what}: the sum of its rates`, sum(found.rates.map(({ amount }) => BigInt(amount))), expected.tax);
  for (const { rule, amount } of found.rates) {
    const exact = expected.byRate.get(rule.id);
    if (exact === undefined) throw new Error(`${what} is taxed by ${rule.id}, which does not fit`);
    const away = BigInt(amount) * expected.scale - exact;
    if (expected.scale === 1n ? away !== 0n : away >= expected.scale || away <= -expected.scale)
      throw new Error(`${what}: ${rule.id} comes to ${amount}, by the oracle ${exact} / ${expected.scale}`);
  }
  same(`${what}: how many rates`, found.rates.length, expected.byRate.size);
};

const compareBasket = (given: Case, found: Basket, verdict: ExpectedResult): void => {
  same(
    'unit prices',
    found.lines.map(({ unit }) => unit),
    verdict.lines.map(({ unit }) => unit).map(Number),
  );
  same('the subtotal', BigInt(found.subtotal), verdict.subtotal);
  const left = found.lines.map(({ total }) => BigInt(total));
  if (!verdict.best.some((way) => way.free === found.freeShipping && text(way.left) === text(left)))
    throw new Error(`lines come to ${text(left)}, by the oracle to ${text(verdict.best)}`);
  const fee = found.shippingFee ?? 0;
  same('what is left to pay', sum(left) + BigInt(fee), verdict.cost);
  same('the discount', found.discount, found.subtotal - found.total);
  same(
    'the sum of discounts',
    found.lines.reduce((all, { discount }) => all + discount, 0),
    found.discount,
  );
  same(
    'the sum of totals',
    found.lines.reduce((all, { total }) => all + total, 0),
    found.total,
  );
  const saved = found.discount + (given.fee ?? 0) - fee;
  same(
    'what promotions took',
    found.applied.reduce((all, { amount }) => all + amount, 0),
    saved,
  );
  for (const { rule } of found.applied) {
    if (!verdict.applicable.has(rule.id)) throw new Error(`${rule.id} applied, though it may not`);
  }
  const applied = new Set(found.applied.map(({ rule }) => rule.code));
  const rejected = given.codes.filter((code) => !applied.has(code.trim().toUpperCase()));
  same(
    'rejected codes',
    found.rejected.map(({ code }) => code),
    rejected,
  );
};

interface Responses {
  readonly query: QueryPricesResponse;
  readonly preview: PreviewTaxResponse;
  readonly order: PriceBasketResponse;
}

const compareCart = (given: Case, { query, order }: Responses): void => {
  const place = { tenant: { store: 'store', environment: 'production' as const }, id: cartKey({ session: 'abc' }) };
  const shownAs = { name: 'Thing', variant_name: null, sku: null, thumbnail_url: null };
  const unitOf = (at: number): number =>
    Math.round(query.lines[at]!.unit_price * 10 ** currencyOf(given.currency).exponent);
  const lines = given.items.map(({ variant, quantity }, at) => ({
    ...{ id: variant.id, variant_id: variant.id, product_id: variant.product, ...shownAs },
    quantity,
    unit_price: unitOf(at),
  }));
  const articles = new Map(
    given.items.map(({ variant, quantity }) => [
      variant.id,
      {
        ...{ variant_id: variant.id, product_id: variant.product, ...shownAs, is_active: true },
        ...{ unit_price: variant.price, currency: given.currency, stock: quantity },
      },
    ]),
  );
  const state = { ...NO_CART, id: 'cart', lines };
  const cart = cartDocument(state, place, given.currency, { variants: articles, basket: order, cards: [] });
  const totals = ({ subtotal, discount_total, total }: Omit<QueryPricesResponse, 'lines'>) => [
    subtotal,
    discount_total,
    total,
  ];
  same('a cart’s totals', totals({ ...cart, rejected_codes: [], applied_promotions: [] }), totals(query));
  same(
    'a cart’s lines',
    cart.items.map(({ unit_price, subtotal, discount, total }) => [unit_price, subtotal, discount, total]),
    query.lines.map(({ unit_price, subtotal, discount, total }) => [unit_price, subtotal, discount, total]),
  );
  same(
    'a cart’s warnings',
    cart.warnings.filter(({ code }) => code !== 'code_expired'),
    [],
  );
  same('a cart’s promotions', cart.applied_promotions, query.applied_promotions);
};

const compareAnswers = (given: Case, found: Basket, taxes: TaxTable | null, answers: Responses): void => {
  const { query, preview, order } = answers;
  const currency = currencyOf(given.currency);
  const major = (minor: number | bigint): number => {
    const digits = String(minor).padStart(currency.exponent + 1, '0');
    const point = digits.length - currency.exponent;
    return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
  };
  same(
    'a query’s totals',
    [query.subtotal, query.discount_total, query.total],
    [found.subtotal, found.discount, found.total].map(major),
  );
  const tax = sum(found.lines.map(({ taxed }) => BigInt(taxed?.tax ?? 0)));
  const shippingTax = BigInt(found.shippingTaxed?.tax ?? 0);
  const taxable = sum(found.lines.map(({ taxed }) => BigInt(taxed?.taxable ?? 0)));
  same(
    'a preview’s totals',
    [preview.taxable_amount, preview.tax_amount, preview.shipping_tax],
    [taxable, tax, shippingTax].map(major),
  );
  const fee = BigInt(found.shippingFee ?? 0);
  const all = BigInt(found.total) + fee + (given.inclusive ? 0n : tax + shippingTax);
  same(
    'an order’s totals',
    [order.subtotal, order.discount_total, order.shipping_total, order.shipping_tax, order.tax_total, order.total],
    [BigInt(found.subtotal), BigInt(found.discount), fee, shippingTax, tax + shippingTax, all].map(major),
  );
  const frozen = taxFrozenLines(
    { lines: query.lines.map(({ variant_id, total }) => ({ variant_id, total })), shipping_fee: order.shipping_total },
    query.lines.map(({ variant_id }) => given.items.find(({ variant }) => variant.id === variant_id)?.variant),
    taxes,
    currency,
    given.inclusive,
  );
  same(
    'frozen totals',
    [frozen.shipping_tax, frozen.tax_total, frozen.total],
    [order.shipping_tax, order.tax_total, order.total],
  );
  same(
    'frozen lines',
    frozen.lines.map(({ tax_amount, total }) => [tax_amount, total]),
    order.lines.map(({ tax_amount, total }) => [tax_amount, total]),
  );
};

/** Throws at the first difference from the oracle. */
export const compare = (given: Case): void => {
  const { currency, storeCurrency, inclusive, group, now, place } = given;
  const rules = compile(1, given.promotions, given.taxRates.map(taxRuleOf));
  const taxes = place && rules.taxes(place, inclusive);
  const { automatic, codes, expiredCodes } = candidatePromotions(rules, given.codes, now, given.uses);
  const buyer = { currency, storeCurrency, group, now };
  const found = priceBasket({ items: given.items, buyer, automatic, codes, shippingFee: given.fee, taxes });
  const verdict = expectedResult(given);
  if (typeof verdict === 'number' || 'unpriced' in found) {
    same('an item without a price', 'unpriced' in found ? found.unpriced : null, verdict);
    return;
  }
  compareBasket(given, found, verdict);
  for (const { variant, total, taxed } of found.lines) {
    if (taxed === null) same('taxes that were not asked for', taxes, null);
    else compareTax(variant.id, taxed, taxOf(ratesOfLine(given, variant), BigInt(total), inclusive));
  }
  if (found.shippingTaxed && found.shippingFee !== null)
    compareTax('shipping', found.shippingTaxed, taxOf(ratesOfShipping(given), BigInt(found.shippingFee), inclusive));
  const priced = {
    basket: found,
    currency: currencyOf(currency),
    taxInclusive: inclusive,
    expiredCodes,
    unusableCodes: [],
  };
  const answers: Responses = {
    query: queryPricesResponse(priced, undefined),
    preview: previewTaxResponse(priced),
    order: priceBasketResponse(priced, undefined),
  };
  compareAnswers(given, found, taxes, answers);
  if (isCart(given)) compareCart(given, answers);
};
