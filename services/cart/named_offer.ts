// Finds the catalogue offer for the variant or product that a request body names.
import { type Call, type Refusal, refuse } from '#runtime/call/call.ts';
import type { CartCatalogue } from './catalogue.ts';
import type { LineOffer } from './line.ts';

interface NamedVariant {
  readonly variant_id?: string | null;
  readonly product_id?: string | null;
}

export interface NamedOffer {
  readonly offer: LineOffer | null;
  readonly param: 'variant_id' | 'product_id';
}

export const findOffer = async (
  catalogue: CartCatalogue,
  call: Call,
  { variant_id, product_id }: NamedVariant,
  customer: string | null,
  currency: string | null,
): Promise<NamedOffer | Refusal> => {
  if (!variant_id) {
    if (product_id)
      return { offer: await catalogue.defaultOffer(call, product_id, customer, currency), param: 'product_id' };
    return refuse('invalid_request', 'The item is not named. Send `variant_id` or `product_id`.', {
      param: 'variant_id',
    });
  }
  const offer = await catalogue.offer(call, variant_id, customer, currency);
  if (offer && product_id && offer.product_id !== product_id.toLowerCase()) {
    return refuse(
      'invalid_request',
      `Variant ${variant_id} is not of product ${product_id}. Send one of them, or a matching pair.`,
      { param: 'product_id' },
    );
  }
  return { offer, param: 'variant_id' };
};
