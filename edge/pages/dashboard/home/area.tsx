// Home: sales, and work that waits for the store's staff.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { HomeScreen } from './home.tsx';

export const screens: Screens = { '': HomeScreen };
