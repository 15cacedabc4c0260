// Collections: their order, and one collection with its products.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { CollectionScreen, NewCollection } from './detail.tsx';
import { CollectionList } from './list.tsx';

export const screens: Screens = { '': CollectionList, new: NewCollection, ':id': CollectionScreen };
