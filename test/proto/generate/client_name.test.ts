// Names of endpoints in the client.
import { expect, it } from 'vitest';
import { placeOf } from '#proto/generate/client_name.ts';

it.each([
  ['/', 'getApiInfo', 'getApiInfo'],
  ['/v1/products', 'listProducts', 'products.list'],
  ['/v1/products/{id}', 'getProduct', 'products.get'],
  ['/v1/products/by-slug/{slug}', 'getProductBySlug', 'products.getBySlug'],
  ['/v1/products/{id}/specifications', 'getProductSpecifications', 'products.specifications.get'],
  ['/v1/cart', 'emptyCart', 'cart.empty'],
  ['/v1/cart/items', 'addCartItem', 'cart.items.add'],
  ['/v1/cart/merge', 'mergeCart', 'cart.merge'],
  ['/v1/cart/gift-cards/{code}', 'removeCartGiftCard', 'cart.giftCards.remove'],
  ['/v1/search', 'searchProducts', 'search'],
  ['/v1/recommendations', 'recommendProducts', 'recommend'],
  ['/v1/inventory/adjustments', 'adjustInventory', 'inventory.adjust'],
  ['/v1/auth/login', 'logIn', 'auth.login'],
  ['/v1/auth/reset-password', 'requestPasswordReset', 'auth.resetPassword.request'],
  ['/v1/auth/reset-password/confirm', 'confirmPasswordReset', 'auth.resetPassword.confirm'],
  ['/v1/reviews/{id}/helpful', 'voteReviewHelpful', 'reviews.voteHelpful'],
  ['/v1/returns/{id}/accept-credit', 'acceptReturnCredit', 'returns.acceptCredit'],
  ['/v1/customers/{id}/group', 'setCustomerGroup', 'customers.setGroup'],
  ['/v1/sandbox/time-travel', 'travelTime', 'sandbox.timeTravel'],
  ['/v1/feeds/{store}/llms.txt', 'getStoreSummary', 'feeds.getLlmsTxt'],
])('%s, called %s, is %s', (path, operation, expected) => {
  const { resource, method } = placeOf({ path, operation });
  expect([...resource, method].join('.')).toBe(expected);
});
