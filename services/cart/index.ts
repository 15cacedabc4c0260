// The cart domain: carts and wishlists as actors.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { CART, WISHLIST } from './actor.ts';
import { openAppraiser } from './appraisal.ts';
import { openCatalogue } from './catalogue.ts';
import { cartDirectoryHandlers } from './directory.ts';
import { cartErasures } from './erasure.ts';
import { cartHandlers } from './rpc.ts';
import { wishlistHandlers } from './wishlist_rpc.ts';

export const cart = (runtime: Runtime): Domain => {
  const catalogue = openCatalogue(runtime);
  runtime.actors.register(CART);
  runtime.actors.register(WISHLIST);
  return {
    name: 'cart',
    erasures: cartErasures(runtime),
    services: {
      Cart: cartHandlers(runtime, catalogue, openAppraiser(runtime, catalogue)),
      CartDirectory: cartDirectoryHandlers(runtime),
      Wishlist: wishlistHandlers(runtime, catalogue),
    },
  };
};
