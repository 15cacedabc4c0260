// Takes the cart's forms while no script runs: an item that is put in, and a line's quantity.
import { refusalText } from '#edge/pages/storefront/refusal.ts';
import type { Text } from '#edge/pages/storefront/wording.ts';
import { StoaError, type Storefront } from '#proto/client/storefront.ts';
import { readForm } from './form.ts';

const QUANTITY_MAX = 999;

/** An item is put in by its variant, and changed by its id; quantity 0 removes it. */
export type CartForm =
  | { readonly variantId: string; readonly quantity: number }
  | { readonly itemId: string; readonly quantity: number };

/** Returns null if the body is not one of the forms. */
export const readCartForm = async (request: Request): Promise<CartForm | null> => {
  const fields = await readForm(request);
  if (fields === null) return null;
  const variantId = fields.get('variant_id') ?? '';
  const itemId = fields.get('item_id') ?? '';
  // A button's value is newer than the field's.
  const quantity = Math.floor(Number((itemId && fields.get('step')) || (fields.get('quantity') ?? '1')));
  const isChange = variantId === '' && itemId !== '';
  if (!(quantity >= (isChange ? 0 : 1) && quantity <= QUANTITY_MAX)) return null;
  if (isChange) return { itemId, quantity };
  return variantId === '' ? null : { variantId, quantity };
};

/** Returns the sentence of a refusal; null if the cart is changed. */
export const changeCart = async (
  { cart: { items } }: Storefront,
  form: CartForm,
  text: Text,
): Promise<string | null> => {
  const { quantity } = form;
  try {
    if ('variantId' in form) await items.add({ variant_id: form.variantId, quantity });
    else if (quantity === 0) await items.remove({ item_id: form.itemId });
    else await items.update({ item_id: form.itemId, quantity });
    return null;
  } catch (problem) {
    // A line that a first press has removed is gone, as the second press wants it.
    if (problem instanceof StoaError && problem.status === 404 && quantity === 0) return null;
    if (problem instanceof StoaError && problem.status >= 400 && problem.status < 500)
      return refusalText(problem, text);
    throw problem;
  }
};
