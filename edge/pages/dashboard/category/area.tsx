// Categories: one screen with the whole tree.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { CategoryScreen } from './tree.tsx';

export const screens: Screens = { '': CategoryScreen };
