// A customer's record, and its representation in the API.
import { randomUUID } from 'node:crypto';
import type { Customer } from '#proto/gen/customer.ts';
import type { Address } from '#proto/gen/shared.ts';
import { changedFields } from '#runtime/event/event.ts';
import { tagOrNull } from '#values/language.ts';

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
  /** Canonical BCP 47 tag; null for the store's default one. */
  readonly language: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const customerDocument = (customer: CustomerRecord): Customer => ({
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
  language: customer.language,
});

export type NewCustomerInput = Pick<CustomerRecord, 'email'> &
  Partial<Omit<{ [N in keyof CustomerRecord]: CustomerRecord[N] | undefined }, 'id' | 'created_at' | 'updated_at'>>;

export const newCustomer = (given: NewCustomerInput, now: Date): CustomerRecord => ({
  id: randomUUID(),
  external_id: given.external_id ?? null,
  email: given.email,
  first_name: given.first_name ?? null,
  last_name: given.last_name ?? null,
  phone: given.phone ?? null,
  customer_group: given.customer_group ?? null,
  addresses: given.addresses ?? [],
  metadata: given.metadata ?? {},
  language: tagOrNull(given.language),
  created_at: now,
  updated_at: now,
});

export const previousAttributes = (before: CustomerRecord, after: CustomerRecord): Record<string, unknown> =>
  changedFields(customerDocument(before), customerDocument(after));
