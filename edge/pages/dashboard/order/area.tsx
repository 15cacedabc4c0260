// Orders: the list, one order with its payments, shipments and returns, papers to print, and orders taken by hand.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { OrderScreen } from './detail.tsx';
import { OrderList } from './list.tsx';
import { NewOrder } from './new_order.tsx';
import { InvoicePaper, PackingSlip } from './paper.tsx';

export const screens: Screens = {
  '': OrderList,
  new: NewOrder,
  ':id': OrderScreen,
  ':id/slip': PackingSlip,
  ':id/invoice': InvoicePaper,
};
