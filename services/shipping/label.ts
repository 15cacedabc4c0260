// Handles the rpcs of labels: buys one label per reference, and voids a label that no shipment uses.
import type {
  BuyLabelRequest,
  BuyLabelResponse,
  ShippingDirectoryRpcs,
  VoidLabelResponse,
} from '#proto/gen/shipping_directory.ts';
import { invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { ConsignmentBuilder } from './consignment.ts';
import type { ShippingServices } from './rpc.ts';
import { claimForVoid, claimLabel, deleteClaim, recordPurchase, saveLabel } from './table/label.ts';

const CLAIM_RETRY_S = 30;

export const labelHandlers = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  { pool, carriers }: Pick<ShippingServices, 'pool' | 'carriers'>,
  consignmentOf: ConsignmentBuilder,
): Pick<Handlers<ShippingDirectoryRpcs>, 'BuyLabel' | 'VoidLabel'> => ({
  // Commits a record before and one after the purchase, because no transaction can undo a purchase.
  BuyLabel: read(async (call, input: BuyLabelRequest): Promise<BuyLabelResponse | Refusal> => {
    const { reference, address, rate_id, source } = input;
    if (!address)
      return invalid('shipping_address', '`shipping_address` is required to buy a label, and the order has none.');
    const shipping = await pool.get(call);
    const { tenant } = call;
    const claim = await claimLabel(postgres.sql, tenant, reference, clock.now(tenant));
    if (claim === 'taken')
      return refuse('conflict', 'Another request is buying this label. Retry to receive it.', {
        retryAfterS: CLAIM_RETRY_S,
      });
    if ('label' in claim) return claim.label;
    const consignment = await consignmentOf(call, shipping, address, rate_id, input);
    const lost =
      claim.purchase === null ? null : await carriers.findPurchase(shipping.providers, consignment, claim.purchase);
    const note = (purchase: string) => recordPurchase(postgres.sql, tenant, reference, purchase);
    const bought =
      lost ?? (await carriers.buyLabel(shipping.providers, consignment, { rate_id, source }, reference, note));
    if (bought instanceof Refusal) {
      await deleteClaim(postgres.sql, tenant, reference);
      return bought;
    }
    const { carrier, service, fee } = bought.rate;
    const label: BuyLabelResponse = { carrier, service, ...bought.label, fee };
    await saveLabel(postgres.sql, tenant, reference, label);
    return label;
  }),

  // If the source refuses to void a label, the label remains recorded as bought.
  VoidLabel: read(async (call, input: BuyLabelRequest): Promise<VoidLabelResponse> => {
    const { reference, address, rate_id } = input;
    const { tenant } = call;
    const claimed = await claimForVoid(postgres.sql, tenant, reference);
    if (claimed === null) return { voided: false };
    const { label, purchase } = claimed;
    const isVoided = async (): Promise<boolean> => {
      if (purchase === null) return true;
      const shipping = await pool.get(call);
      const consignment = await consignmentOf(call, shipping, address!, rate_id, input);
      return carriers.voidLabel(shipping.providers, consignment, purchase);
    };
    const voided = await isVoided();
    if (voided) await deleteClaim(postgres.sql, tenant, reference);
    else await saveLabel(postgres.sql, tenant, reference, label);
    return { voided };
  }),
});
