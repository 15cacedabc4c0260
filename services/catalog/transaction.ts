// Changes stock levels inside another domain's transaction: an order subtracts units on hand in its own commit, which
// finally prevents overselling. Takes no catalogue revision, because a revision's lock would serialise all orders of a
// tenant.

export { categoriesOfProducts, namesOfCategories, namesOfProducts } from './table/naming.ts';
export { type LevelAfter, type MovedUnits, returnOnHand, takeOnHand } from './table/on_hand.ts';
