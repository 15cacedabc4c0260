// Merchants of a marketplace.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { shared } from '#edge/pages/dashboard/shared.tsx';
import { MerchantList } from './merchant_list.tsx';

export const screens: Screens = {
  '': shared(MerchantList),
};
