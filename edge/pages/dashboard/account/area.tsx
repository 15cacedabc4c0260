// The signed-in person's own account.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { AccountScreen } from './account.tsx';

export const screens: Screens = { '': AccountScreen };
