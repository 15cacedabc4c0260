// A merchant's export of one customer's data, and the erasure of another one.
import { expect } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sendTo } from '#test/support/stoa.ts';
import { type Records, requireSuccess } from './owner.ts';

/** An export of the customer, and the erasure of another one; both are complete. */
export const exportAndErase = async (
  stoa: Stoa,
  keys: Keys,
  customer: string,
): Promise<Pick<Records, 'customerExport' | 'erasedCustomer'>> => {
  const ask = (method: string, path: string, body?: object) =>
    requireSuccess(sendTo(stoa.url, method, `/v1/customers${path}`, { key: keys.secret_key, ...(body && { body }) }));
  const { customer: leaver } = await ask('POST', '', { email: `leaver-${keys.code}@example.com` });
  const { export: made } = await ask('POST', `/${customer}/export`);
  await ask('POST', `/${leaver.id}/erase`, { reason: 'Request' });
  await eventually(async () => {
    const { export: exported } = await ask('GET', `/${customer}/exports/${made.id}`);
    const { erasure } = await ask('GET', `/${leaver.id}/erasure`);
    expect([exported.status, erasure.status]).toEqual(['complete', 'complete']);
  });
  return { customerExport: made.id, erasedCustomer: leaver.id };
};
