// What two sides agree on: lines at their prices, what tax is in each, and what it comes to. Pure; amounts are in minor units.

export type PaymentTerms = 'due_on_receipt' | 'net_7' | 'net_15' | 'net_30' | 'net_60' | 'net_90';

/** A tax of a line, as it was called and what it came to. */
export interface TaxPart {
  readonly name: string;
  /** 0.16 is 16 %. */
  readonly rate: number;
  readonly amount: number;
}

export interface AgreedLine {
  readonly id: string;
  readonly variant_id: string;
  /** As it was called when it was quoted. */
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unit_price: number;
  /** Pieces times price. */
  readonly total: number;
  readonly taxes: readonly TaxPart[];
}

export interface Totals {
  readonly subtotal: number;
  readonly tax_amount: number;
  readonly total: number;
}

export const taxOf = ({ taxes }: Pick<AgreedLine, 'taxes'>): number =>
  taxes.reduce((sum, { amount }) => sum + amount, 0);

/** Where prices include tax, tax is a part of them and adds nothing. */
export const totalsOf = (lines: readonly Pick<AgreedLine, 'total' | 'taxes'>[], tax_inclusive: boolean): Totals => {
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  const tax_amount = lines.reduce((sum, line) => sum + taxOf(line), 0);
  return { subtotal, tax_amount, total: subtotal + (tax_inclusive ? 0 : tax_amount) };
};
