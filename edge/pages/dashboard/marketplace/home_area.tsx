// Home of a marketplace operator.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { MarketplaceHome } from './home.tsx';

export const screens: Screens = { '': MarketplaceHome };
