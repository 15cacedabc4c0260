// The rpc handlers of labels: each is bought once for a reference, and voided where no shipment has it.
import type {
  BuyLabelRequest,
  BuyLabelResponse,
  ShippingDirectoryRpcs,
  VoidLabelResponse,
} from '#proto/gen/shipping_directory.ts';
import { invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Consignments } from './consignment.ts';
import type { ShippingParts } from './rpc.ts';
import { claimBought, claimLabel, dropLabel, keepLabel, notePurchase } from './table/label.ts';

/** After that another process may look what became of it. */
const CLAIM_RETRY_S = 30;

export const labelHandlers = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  { pool, carriers }: Pick<ShippingParts, 'pool' | 'carriers'>,
  consignmentOf: Consignments,
): Pick<Handlers<ShippingDirectoryRpcs>, 'BuyLabel' | 'VoidLabel'> => ({
  // Writes its own note before and after the purchase, which no transaction can take back.
  BuyLabel: read(async (call, input: BuyLabelRequest): Promise<BuyLabelResponse | Refusal> => {
    const { reference, address, rate_id, source } = input;
    if (!address) return invalid('shipping_address', 'The order has no shipping address.');
    const shipping = await pool.get(call);
    const { tenant } = call;
    const claim = await claimLabel(postgres.sql, tenant, reference, clock.now(tenant));
    if (claim === 'taken') return refuse('conflict', 'This label is being bought.', { retryAfterS: CLAIM_RETRY_S });
    if ('label' in claim) return claim.label;
    const consignment = await consignmentOf(call, shipping, address, rate_id, input);
    const lost = claim.purchase === null ? null : await carriers.look(shipping.providers, consignment, claim.purchase);
    const note = (purchase: string) => notePurchase(postgres.sql, tenant, reference, purchase);
    const bought = lost ?? (await carriers.buy(shipping.providers, consignment, { rate_id, source }, reference, note));
    if (bought instanceof Refusal) {
      await dropLabel(postgres.sql, tenant, reference);
      return bought;
    }
    const { carrier, service, fee } = bought.rate;
    const label: BuyLabelResponse = { carrier, service, ...bought.label, fee };
    await keepLabel(postgres.sql, tenant, reference, label);
    return label;
  }),

  // A label that its source does not void stays recorded as bought.
  VoidLabel: read(async (call, input: BuyLabelRequest): Promise<VoidLabelResponse> => {
    const { reference, address, rate_id } = input;
    const { tenant } = call;
    const claimed = await claimBought(postgres.sql, tenant, reference);
    if (claimed === null) return { voided: false };
    const { label, purchase } = claimed;
    const isVoided = async (): Promise<boolean> => {
      if (purchase === null) return true;
      const shipping = await pool.get(call);
      const consignment = await consignmentOf(call, shipping, address!, rate_id, input);
      return carriers.voidLabel(shipping.providers, consignment, purchase);
    };
    const voided = await isVoided();
    if (voided) await dropLabel(postgres.sql, tenant, reference);
    else await keepLabel(postgres.sql, tenant, reference, label);
    return { voided };
  }),
});
