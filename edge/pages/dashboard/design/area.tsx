// The design system on one page: every component, to look at and to copy from.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { DesignScreen } from './design.tsx';

export const screens: Screens = { '': DesignScreen };
