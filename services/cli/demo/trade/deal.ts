// The wholesale demo's deals, and the stage that each has reached.

import type { AddressInput } from '#proto/gen/shared.ts';
import type { CreateWholesaleQuoteRequest } from '#proto/gen/wholesale_quote.ts';
import type { DemoShopper } from '#services/cli/demo/shopper.ts';

export const STEPS = ['asked', 'quoted', 'accepted', 'ordered', 'confirmed', 'fulfilled', 'billed', 'paid'] as const;
export type Step = (typeof STEPS)[number];

export interface DemoBuyer extends DemoShopper {
  readonly address: string;
  readonly place: AddressInput;
}

export interface DemoItem {
  readonly sku: string;
  readonly quantity: number;
  readonly unit_price: number;
}

export interface DemoDeal extends Pick<CreateWholesaleQuoteRequest, 'payment_terms'> {
  readonly buyer: DemoBuyer;
  /** The buyer's message; no two deals of a buyer have the same. */
  readonly message: string;
  readonly answer: string;
  readonly items: readonly [DemoItem, ...DemoItem[]];
  readonly po_number: string;
  readonly reached: Step;
}

const HOTEL: DemoBuyer = {
  email: 'purchasing@bahari-hotel.example.com',
  first_name: 'Zahra',
  last_name: 'Abdi',
  address: '198.51.100.31',
  place: {
    company: 'Bahari Beach Hotel',
    first_name: 'Zahra',
    last_name: 'Abdi',
    line1: '3 Nyali Road',
    city: 'Mombasa',
    postal_code: '80100',
    country: 'KE',
    phone: '+254 41 555 0123',
  },
};

const CAFES: DemoBuyer = {
  email: 'peter@kijani-cafes.example.com',
  first_name: 'Peter',
  last_name: 'Kimani',
  address: '198.51.100.32',
  place: {
    company: 'Kijani Cafés Ltd',
    line1: '21 Kimathi Street',
    city: 'Nairobi',
    postal_code: '00100',
    country: 'KE',
  },
};

/** Oldest first, so that pending deals are first in lists, which show the newest first. */
export const DEALS: readonly DemoDeal[] = [
  {
    buyer: HOTEL,
    message: 'For the new breakfast terrace, opening in May.',
    answer: 'Prices include delivery to Nyali.',
    items: [
      { sku: 'MCT-MUG-24-CHA', quantity: 12, unit_price: 198 },
      { sku: 'MCT-TOW-50', quantity: 6, unit_price: 139 },
    ],
    payment_terms: 'net_30',
    po_number: 'BBH-2041',
    reached: 'paid',
  },
  {
    buyer: HOTEL,
    message: 'The monthly coffee, as last year.',
    answer: 'As last year, and ten dollars less on the blend.',
    items: [
      { sku: 'MCT-ESP-10KG', quantity: 30, unit_price: 165 },
      { sku: 'MCT-KIA-15KG', quantity: 4, unit_price: 320 },
    ],
    payment_terms: 'due_on_receipt',
    po_number: 'BBH-2058',
    reached: 'billed',
  },
  {
    buyer: CAFES,
    message: 'Two new bars, both open on the first of the month.',
    answer: 'We can bring all of it in one van.',
    items: [
      { sku: 'MCT-KET-04', quantity: 2, unit_price: 239 },
      { sku: 'MCT-ESP-24', quantity: 10, unit_price: 118 },
      { sku: 'MCT-FLT-4000', quantity: 4, unit_price: 109 },
    ],
    payment_terms: 'net_60',
    po_number: '4500-77',
    reached: 'ordered',
  },
  {
    buyer: HOTEL,
    message: 'Stools for the pool bar. Could they be a little lower?',
    answer: 'They are 44 cm; lower ones we would have to make for you.',
    items: [{ sku: 'MCT-STL-06', quantity: 8, unit_price: 182 }],
    payment_terms: 'net_30',
    po_number: 'BBH-2063',
    reached: 'quoted',
  },
  {
    buyer: CAFES,
    message: 'Aprons for forty people, with our leaf on the pocket.',
    answer: '',
    items: [{ sku: 'MCT-APR-10', quantity: 4, unit_price: 160 }],
    payment_terms: 'net_30',
    po_number: '4500-81',
    reached: 'asked',
  },
];
