// Generated from stoa/v1/payment_simulator.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type SettleSimulatedRequest = {
  reference: string;
  outcome: "succeed" | "fail" | "expire";
};

/** @internal */
export type ShowSimulatedRequest = {
  reference: string;
};

/** @internal */
export type DecideSimulatedRequest = {
  reference: string;
  outcome: "succeed" | "fail" | "expire";
};

/** @internal */
export type SimulatedPayment = {
  reference: string;
  provider: string;
  method_name: string;
  status: string;
  /** With all decimals of the currency. */
  amount: string;
  currency: string;
  order_number: string | null;
  phone: string | null;
  success_url: string | null;
  cancel_url: string | null;
  /** The id of the store that is paid. */
  store: string;
};

/**
 * The simulator's pay page.
 * @internal
 */
export interface PaymentSimulatorRpcs {
  ShowSimulated: { request: ShowSimulatedRequest; response: SimulatedPayment };
  DecideSimulated: { request: DecideSimulatedRequest; response: SimulatedPayment };
}
