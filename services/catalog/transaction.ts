// Stock levels inside another domain's transaction: an order lowers what is on hand in its own commit, the last
// protection against overselling. It takes no catalogue revision, which would serialise all orders of a tenant.
export { type LevelAfter, type MovedUnits, returnOnHand, takeOnHand } from './table/on_hand.ts';
