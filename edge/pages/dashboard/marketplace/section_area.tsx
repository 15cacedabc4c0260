// Curated sections of a marketplace.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { NewSection, SectionScreen } from './section.tsx';
import { SectionList } from './section_list.tsx';

export const screens: Screens = { '': SectionList, new: NewSection, ':slug': SectionScreen };
