// Merchants of a marketplace.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { MerchantList } from './merchant_list.tsx';

export const screens: Screens = { '': MerchantList };
