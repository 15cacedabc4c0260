// Tests the text of an invoice PDF: parties, terms, each tax by rate, and the amount due.
import { describe, expect, test } from 'vitest';
import type { StoreProfile } from '#proto/gen/store.ts';
import type { InvoiceRecord } from '#services/b2b/invoice.ts';
import { invoiceContent } from '#services/b2b/pdf/content.ts';
import type { PurchaseOrderRecord } from '#services/b2b/purchase_order.ts';

const ISSUED = new Date('2026-03-31T22:30:00Z');
const DUE = new Date('2026-04-30T22:30:00Z');

const line = (given: Partial<InvoiceRecord['items'][number]>): InvoiceRecord['items'][number] => ({
  id: 'line',
  item_id: 'item',
  variant_id: 'variant',
  name: 'Shoe',
  variant_name: null,
  sku: null,
  quantity: 1,
  unit_price: 1_000,
  total: 1_000,
  taxes: [],
  ...given,
});

const ORDER = {
  po_number: 'PO-7',
  email: 'ada@example.com',
  buyer_name: 'Ada Mwangi',
  shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
  billing_address: null,
} as PurchaseOrderRecord;

const INVOICE = {
  number: 1_001,
  status: 'issued',
  currency: 'USD',
  tax_inclusive: false,
  items: [line({})],
  subtotal: 1_000,
  tax_amount: 0,
  total: 1_000,
  payment_terms: 'net_30',
  due_at: DUE,
  overdue_at: DUE,
  paid_at: null,
  created_at: ISSUED,
} as unknown as InvoiceRecord;

const STORE = {
  name: 'Kibo Shoes',
  country: 'KE',
  contact_email: 'sales@kibo.example',
  contact_phone: null,
  website_url: null,
  timezone: 'Africa/Nairobi',
} as unknown as StoreProfile;

const paperOf = (
  invoice: Partial<InvoiceRecord> = {},
  order: Partial<PurchaseOrderRecord> = {},
  store: object = {},
  now = ISSUED,
) =>
  invoiceContent({
    invoice: { ...INVOICE, ...invoice },
    order: { ...ORDER, ...order },
    store: { ...STORE, ...store },
    sender: null,
    now,
  });

describe('the content of an invoice PDF', () => {
  test('dates by the store’s time zone, and contains terms and number', () => {
    expect(paperOf().details).toEqual([
      ['Invoice number', 'INV-1001'],
      ['Date', '1 April 2026'],
      ['Due', '1 May 2026'],
      ['Payment terms', 'Net 30 days'],
      ['Purchase order', 'PO-7'],
    ]);
    const elsewhere = paperOf({ payment_terms: 'due_on_receipt' }, {}, { timezone: 'Mars/Olympus' });
    expect(elsewhere.details.slice(1, 4).map(([, text]) => text)).toEqual([
      '31 March 2026',
      '30 April 2026',
      'Due on receipt',
    ]);
  });

  test.each([
    ['paid', { status: 'paid', paid_at: DUE }, ISSUED, 'Paid on 1 May 2026', 'USD 0.00'],
    ['void', { status: 'void' }, ISSUED, 'Void', 'USD 0.00'],
    ['overdue', {}, DUE, 'Overdue', 'USD 10.00'],
  ] as const)('says that it is %s', (_status, given, now, state, due) => {
    const { details, totals } = paperOf(given, {}, {}, now);
    expect([details.at(-1), totals.at(-1)]).toEqual([
      ['Status', state],
      ['Amount due', due],
    ]);
  });

  test('names seller and buyer by company or name, at the billing or shipping address', () => {
    expect(paperOf().parties).toEqual([
      { label: 'Seller', lines: ['Kibo Shoes', 'Kenya', 'sales@kibo.example'] },
      { label: 'Bill to', lines: ['Ada Mwangi', '12 Moi Avenue', 'Nairobi', 'Kenya', 'ada@example.com'] },
      { label: 'Ship to', lines: ['12 Moi Avenue', 'Nairobi', 'Kenya'] },
    ]);
    const billing_address = { company: 'Kibo Traders', line1: 'Box 1', city: 'Mombasa', country: 'KE' };
    const [, buyer] = paperOf({}, { billing_address }).parties;
    expect(buyer!.lines).toEqual(['Kibo Traders', 'Box 1', 'Mombasa', 'Kenya', 'ada@example.com']);
    expect(paperOf({}, { buyer_name: null }, { country: null }).parties[0]!.lines[0]).toBe('Kibo Shoes');
  });

  test('sums each tax by rate, inclusive or on top', () => {
    const items = [
      line({
        name: 'Shoe',
        variant_name: '42',
        sku: 'S-42',
        quantity: 1_200,
        unit_price: 750,
        total: 900_000,
        taxes: [
          { name: 'VAT', rate: 0.16, amount: 144_000 },
          { name: 'Levy', rate: 0.005, amount: 4_500 },
        ],
      }),
      line({ taxes: [{ name: 'VAT', rate: 0.16, amount: 160 }] }),
      line({ taxes: [{ name: 'VAT', rate: 0.08, amount: 80 }] }),
    ];
    const given = { items, subtotal: 902_000, tax_amount: 148_740, total: 1_050_740 };
    const { lines, totals } = paperOf(given);
    expect(lines[0]).toEqual({
      description: 'Shoe, 42',
      sku: 'S-42',
      quantity: '1,200',
      unit_price: '7.50',
      amount: '9,000.00',
    });
    expect(totals).toEqual([
      ['Subtotal', '9,020.00'],
      ['VAT 16%', '1,441.60'],
      ['Levy 0.5%', '45.00'],
      ['VAT 8%', '0.80'],
      ['Total', 'USD 10,507.40'],
      ['Amount due', 'USD 10,507.40'],
    ]);
    expect(paperOf({ ...given, tax_inclusive: true, total: 902_000 }).totals.slice(1, 3)).toEqual([
      ['Including VAT 16%', '1,441.60'],
      ['Including Levy 0.5%', '45.00'],
    ]);
    expect(paperOf().totals[1]).toEqual(['Tax', '0.00']);
  });

  test('formats amounts with the currency’s decimals', () => {
    const yen = paperOf({
      currency: 'JPY',
      items: [line({ unit_price: 1_500, total: 1_500 })],
      subtotal: 1_500,
      total: 1_500,
    });
    expect([yen.lines[0]!.unit_price, yen.totals.at(-1)![1]]).toEqual(['1,500', 'JPY 1,500']);
    const dinar = paperOf({ currency: 'KWD', subtotal: 1_500, total: 1_500 });
    expect(dinar.totals.at(-1)![1]).toBe('KWD 1.500');
  });
});
