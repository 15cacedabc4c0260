// Data of one demo shopper's purchases, returns and dispute.
import type { CreateDisputeRequest } from '#proto/gen/dispute.ts';
import type { CreateReturnRequest, OrderReturn } from '#proto/gen/order_return.ts';
import type { DemoShopper } from './shopper.ts';

export const MWANGI: DemoShopper = {
  email: 'mwangi.njoroge@example.com',
  first_name: 'Mwangi',
  last_name: 'Njoroge',
  address: '198.51.100.13',
};

export const HOME = {
  line1: '14 Riverside Drive',
  city: 'Nairobi',
  country: 'KE',
  postal_code: '00100',
} as const;

export const BOUGHT = [
  'Espresso Cups, Set of Two',
  'Acacia Bud Vase',
  'Waxed Field Backpack',
  'Weekender Duffel',
  'Collar Carafe',
  'Planting Trowel',
  'Brass Plant Mister',
  'Sunday Platter',
] as const;

export interface DemoReturn extends Pick<CreateReturnRequest, 'reason_code' | 'resolution'> {
  readonly product: (typeof BOUGHT)[number];
  readonly reason_detail: string;
  readonly status: OrderReturn['status'];
  readonly note: string | null;
}

/** One return in each state; pending ones first in the shop's list. */
export const RETURNS: readonly DemoReturn[] = [
  {
    product: 'Espresso Cups, Set of Two',
    reason_code: 'damaged',
    reason_detail: 'One of the two has a crack from rim to foot.',
    resolution: 'full_refund',
    status: 'refunded',
    note: 'We are sorry. Both cups are on us.',
  },
  {
    product: 'Acacia Bud Vase',
    reason_code: 'no_longer_needed',
    reason_detail: 'I was given the same vase for my birthday.',
    resolution: 'store_credit',
    status: 'credited',
    note: null,
  },
  {
    product: 'Waxed Field Backpack',
    reason_code: 'other',
    reason_detail: 'My dog has taken a liking to the straps.',
    resolution: 'partial_refund',
    status: 'rejected',
    note: 'We mend straps for free, but we cannot take back what is chewed.',
  },
  {
    product: 'Weekender Duffel',
    reason_code: 'wrong_size',
    reason_detail: 'It does not fit under the seat of the train.',
    resolution: 'full_refund',
    status: 'cancelled',
    note: null,
  },
  {
    product: 'Collar Carafe',
    reason_code: 'wrong_item',
    reason_detail: 'The larger one was sent.',
    resolution: 'exchange',
    status: 'received',
    note: 'It is here, and the smaller one is being packed.',
  },
  {
    product: 'Planting Trowel',
    reason_code: 'defective',
    reason_detail: 'The blade turns in its handle.',
    resolution: 'full_refund',
    status: 'approved',
    note: 'Please send it back in its box.',
  },
  {
    product: 'Brass Plant Mister',
    reason_code: 'not_as_described',
    reason_detail: 'It drips more than it sprays.',
    resolution: 'full_refund',
    status: 'requested',
    note: null,
  },
];

export const DISPUTE: Pick<CreateDisputeRequest, 'reason_code' | 'description'> = {
  reason_code: 'not_as_described',
  description: 'The platter is shown as oval, and what I have here is round. I have written twice and heard nothing.',
};
