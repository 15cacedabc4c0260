// The rpc handlers that capture and void authorised payments.
import type { PaymentRpcs, PaymentState } from '#proto/gen/payment.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { Authorizations } from './authorization.ts';
import { type Ending, type PaymentRecord, paymentStatus } from './payment.ts';

export const captureHandlers = (
  authorizations: Authorizations,
): Pick<Handlers<PaymentRpcs>, 'CapturePayment' | 'VoidPayment'> => {
  const end = async (
    call: Call,
    reference: string,
    kind: Ending,
    amount: number | null,
  ): Promise<PaymentRecord | Refusal> => {
    const by = derivedId('ending', commandIdOf(call));
    const decided = await authorizations.decide(call.tenant, reference, { kind, amount, by });
    return decided instanceof Refusal ? decided : authorizations.carryOut(call, call.tenant, decided);
  };

  /** Ends the payment before the transaction, which only stores the answer under the idempotency key. */
  const handler = <I extends { readonly reference: string; readonly amount?: number | null }>(kind: Ending) =>
    staged<I, PaymentState, PaymentRecord>({
      prepare: (call, { reference, amount }) => end(call, reference, kind, amount ?? null),
      run: (_tx, { tenant }, _input, payment) => paymentStatus(tenant, payment),
      undo: () => {},
    });

  return { CapturePayment: handler('capture'), VoidPayment: handler('void') };
};
