// Lists products over all merchants of an operator. Search has the index over their catalogues, and answers.
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { SellingMerchants } from '#services/commerce/selling_merchant.ts';
import type { ListMerchantProducts } from './rpc/product.ts';

export const openMerchantList =
  ({ ask }: Pick<Runtime, 'ask'>, sellingMerchants: SellingMerchants): ListMerchantProducts =>
  async (call, input) => {
    if ((await sellingMerchants.get(call.tenant)) === null) return null;
    const { deadline, requestId, trace } = call;
    const options = { deadline, requestId, trace, rendered: true, reads: true } as const;
    return ask('SearchDirectory/ListMerchantProducts', call.tenant, input, options);
  };
