// Service: returns, disputes, reviews and messages as one inbox, and a screen for each of them.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { Conversation } from './conversation.tsx';
import { DisputeScreen } from './dispute.tsx';
import { Inbox } from './inbox.tsx';
import { ReturnScreen } from './return.tsx';
import { ReviewScreen } from './review.tsx';

export const screens: Screens = {
  '': Inbox,
  'returns/:id': ReturnScreen,
  'disputes/:id': DisputeScreen,
  'reviews/:id': ReviewScreen,
  'messages/:id': Conversation,
};
