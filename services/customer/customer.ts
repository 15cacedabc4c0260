// A customer as it is stored and as the API shows it (contract 6, "Accounts").
import type { Customer } from '#proto/gen/customer.ts';
import type { Address } from '#proto/gen/shared.ts';

export interface CustomerRecord {
  readonly id: string;
  readonly external_id: string | null;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly phone: string | null;
  readonly customer_group: string | null;
  readonly addresses: readonly Address[];
  readonly metadata: Record<string, string>;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const shown = (customer: CustomerRecord): Customer => ({
  id: customer.id,
  external_id: customer.external_id,
  email: customer.email,
  first_name: customer.first_name,
  last_name: customer.last_name,
  phone: customer.phone,
  group: customer.customer_group,
  addresses: customer.addresses,
  metadata: customer.metadata,
  created_at: customer.created_at.toISOString(),
  updated_at: customer.updated_at.toISOString(),
});
