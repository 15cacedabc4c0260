// Carts and wishlists: what shoppers mean to buy, as actors.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { CART, WISHLIST } from './actor.ts';
import { openAppraiser } from './appraisal.ts';
import { openCatalogue } from './catalogue.ts';
import { cartDirectoryHandlers } from './directory.ts';
import { cartHandlers } from './rpc.ts';
import { wishlistHandlers } from './wishlist_rpc.ts';

export const cart = (foundation: Foundation): Domain => {
  const catalogue = openCatalogue(foundation);
  foundation.actors.register(CART);
  foundation.actors.register(WISHLIST);
  return {
    name: 'cart',
    services: {
      Cart: cartHandlers(foundation, catalogue, openAppraiser(foundation, catalogue)),
      CartDirectory: cartDirectoryHandlers(foundation),
      Wishlist: wishlistHandlers(foundation, catalogue),
    },
  };
};
