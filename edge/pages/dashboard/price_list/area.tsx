// Price lists: all of them, and one with its prices.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { NewPriceList, PriceListScreen } from './detail.tsx';
import { PriceLists } from './list.tsx';

export const screens: Screens = { '': PriceLists, new: NewPriceList, ':id': PriceListScreen };
