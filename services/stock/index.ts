// Stock: what is held of each variant, as actors; what is on hand is the catalogue's.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { type StockKind, stockKind } from './actor.ts';
import { openCatalogue } from './catalogue.ts';
import { openDoubts, orderDecisions } from './hold_decision.ts';
import { stockHandlers } from './rpc.ts';

export const stock = (foundation: Foundation): Domain => {
  const catalogue = openCatalogue(foundation);
  const doubts = openDoubts(() => kind, foundation, catalogue, orderDecisions(foundation));
  const kind: StockKind = stockKind({
    moved: (tenants) => tenants.forEach(catalogue.nudge),
    doubted: doubts.ask,
  });
  foundation.actors.register(kind);
  return { name: 'stock', services: { Stock: stockHandlers(kind, foundation, catalogue) } };
};
