// Stock: what is held of each variant, as actors; what is on hand is the catalogue's.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type StockKind, stockKind } from './actor.ts';
import { openCatalogue } from './catalogue.ts';
import { openDoubts, orderDecisions } from './hold_decision.ts';
import { stockHandlers } from './rpc.ts';

export const stock = (runtime: Runtime): Domain => {
  const catalogue = openCatalogue(runtime);
  const doubts = openDoubts(() => kind, runtime, catalogue, orderDecisions(runtime));
  const kind: StockKind = stockKind({
    moved: (tenants) => tenants.forEach(catalogue.nudge),
    doubted: doubts.ask,
  });
  runtime.actors.register(kind);
  return { name: 'stock', services: { Stock: stockHandlers(kind, runtime, catalogue) } };
};
