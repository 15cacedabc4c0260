// Stock: the levels of all variants, and one level with its adjustments and orders.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { StockDetail } from './detail.tsx';
import { StockList } from './list.tsx';

export const screens: Screens = { '': StockList, ':id': StockDetail };
