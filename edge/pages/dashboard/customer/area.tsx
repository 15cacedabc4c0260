// Customers: the list, one customer with their addresses, credit and orders, and customers that the store adds itself.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { CustomerDetail } from './detail.tsx';
import { CustomerList } from './list.tsx';
import { NewCustomer } from './new_customer.tsx';

export const screens: Screens = { '': CustomerList, new: NewCustomer, ':id': CustomerDetail };
