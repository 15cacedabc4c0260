// Group orders of a marketplace.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { GroupOrderList, GroupOrderScreen } from './group_order.tsx';

export const screens: Screens = { '': GroupOrderList, ':id': GroupOrderScreen };
