// Payments of orders: all of them, and those that a person must check.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { PaymentList } from './list.tsx';

export const screens: Screens = { '': PaymentList };
