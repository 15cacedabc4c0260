// For developers: the console's tabs, without a key.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { DeveloperScreen } from './developer.tsx';

export const screens: Screens = { '': DeveloperScreen, ':tab': DeveloperScreen };
