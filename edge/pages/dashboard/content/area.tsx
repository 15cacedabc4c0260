// Content: posts of the blog, lookbooks, and the store's policies.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { ContentList } from './list.tsx';
import { LookbookScreen, NewLookbook } from './lookbook.tsx';
import { PolicyScreen } from './policy.tsx';
import { NewPost, PostScreen } from './post.tsx';

export const screens: Screens = {
  '': ContentList,
  'posts/new': NewPost,
  'posts/:slug': PostScreen,
  'lookbooks/new': NewLookbook,
  'lookbooks/:id': LookbookScreen,
  'policies/:type': PolicyScreen,
};
