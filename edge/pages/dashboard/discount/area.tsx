// Discounts: promotions, a basket to try them on, and gift cards.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { GiftCards } from './gift_card.tsx';
import { PromotionList } from './list.tsx';
import { NewPromotion, PromotionScreen } from './promotion.tsx';
import { BasketTrial } from './trial.tsx';

export const screens: Screens = {
  '': PromotionList,
  new: NewPromotion,
  try: BasketTrial,
  'gift-cards': GiftCards,
  ':id': PromotionScreen,
};
