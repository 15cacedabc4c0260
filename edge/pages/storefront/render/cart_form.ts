// Takes the form of the cart's button from browsers without script.
import { StoaError, type Storefront } from '#proto/client/storefront.ts';
import { readForm } from './form.ts';

const QUANTITY_MAX = 999;

export interface CartForm {
  readonly variantId: string;
  readonly quantity: number;
}

/** Returns null if the body is not the form. */
export const readCartForm = async (request: Request): Promise<CartForm | null> => {
  const fields = await readForm(request);
  if (fields === null) return null;
  const variantId = fields.get('variant_id') ?? '';
  const quantity = Math.floor(Number(fields.get('quantity') ?? '1'));
  if (variantId === '' || !(quantity >= 1 && quantity <= QUANTITY_MAX)) return null;
  return { variantId, quantity };
};

/** Returns the sentence of a refusal; null if the items are in the cart. */
export const addToCart = async ({ cart }: Storefront, { variantId, quantity }: CartForm): Promise<string | null> => {
  try {
    await cart.items.add({ variant_id: variantId, quantity });
    return null;
  } catch (problem) {
    if (problem instanceof StoaError && problem.status >= 400 && problem.status < 500) return problem.message;
    throw problem;
  }
};
