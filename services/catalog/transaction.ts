// Stock levels inside another domain's transaction: an order lowers what is on hand in the commit that places it, the last
// line against overselling. It takes no catalogue revision, which would queue all orders of a tenant behind one another.
export { type LevelAfter, type MovedUnits, returnOnHand, takeOnHand } from './table/on_hand.ts';
