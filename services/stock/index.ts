// The stock domain: one actor for each variant holds units for buyers. The catalogue owns the units on hand.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { stockKind } from './actor.ts';
import { openCatalogue } from './catalogue.ts';
import { holdListHandlers } from './hold_list.ts';
import { stockHandlers } from './rpc.ts';

export const stock = (runtime: Runtime): Domain => {
  const catalogue = openCatalogue(runtime);
  const kind = stockKind((tenants) => tenants.forEach(catalogue.settleSoon));
  runtime.actors.register(kind);
  return {
    name: 'stock',
    services: {
      Stock: stockHandlers(kind, runtime, catalogue),
      InventoryHold: holdListHandlers(kind, runtime, catalogue),
    },
  };
};
