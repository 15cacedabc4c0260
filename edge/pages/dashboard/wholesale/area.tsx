// Wholesale: from a buyer's request for a quote to the paid invoice.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { InvoiceScreen } from './invoice.tsx';
import { WholesaleList } from './list.tsx';
import { PurchaseOrderScreen } from './purchase_order.tsx';
import { QuoteScreen } from './quote.tsx';
import { RfqScreen } from './rfq.tsx';

export const screens: Screens = {
  '': WholesaleList,
  'requests/:id': RfqScreen,
  'quotes/:id': QuoteScreen,
  'orders/:id': PurchaseOrderScreen,
  'invoices/:id': InvoiceScreen,
};
