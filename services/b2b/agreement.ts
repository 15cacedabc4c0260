// Lines with agreed prices and taxes, and their sums. Pure; amounts are in minor units.

export type PaymentTerms = 'due_on_receipt' | 'net_7' | 'net_15' | 'net_30' | 'net_60' | 'net_90';

export interface LineTax {
  readonly name: string;
  /** Fraction of the price: 0.16 is 16 %. */
  readonly rate: number;
  readonly amount: number;
}

export interface AgreedLine {
  readonly id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
  readonly taxes: readonly LineTax[];
}

export interface Totals {
  readonly subtotal: number;
  readonly tax_amount: number;
  readonly total: number;
}

export const taxOf = ({ taxes }: Pick<AgreedLine, 'taxes'>): number =>
  taxes.reduce((sum, { amount }) => sum + amount, 0);

/** Sums lines. Inclusive taxes add nothing to the total, since the prices contain them. */
export const totalsOf = (lines: readonly Pick<AgreedLine, 'total' | 'taxes'>[], tax_inclusive: boolean): Totals => {
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  const tax_amount = lines.reduce((sum, line) => sum + taxOf(line), 0);
  return { subtotal, tax_amount, total: subtotal + (tax_inclusive ? 0 : tax_amount) };
};
