// The scenarios by the names under which they are asked for.
import { cart } from './cart.ts';
import { detail, list } from './catalogue.ts';
import { flashSale } from './flash_sale.ts';
import { mixed } from './mixed.ts';
import { order } from './order.ts';
import { pricing } from './pricing.ts';
import type { Prepare } from './scenario.ts';
import { search } from './search.ts';
import { shipping } from './shipping.ts';

export const scenarios: Readonly<Record<string, Prepare>> = {
  list,
  detail,
  search,
  pricing,
  shipping,
  cart,
  order,
  flash_sale: flashSale,
  mixed,
};
