// The sandbox's stand-in for every built-in provider that is not connected: a page of our own asks the shopper, and time
// and that page alone decide how a payment stands.
import type { Asked, Finding, Opened, Opening, RefundFinding } from './provider.ts';

const LIVES_MS = 30 * 60_000;

export const openSimulated = ({ reference, baseUrl, now }: Opening): Opened => ({
  sessionId: `sim_${reference.slice(reference.indexOf('_') + 1)}`,
  checkoutUrl: `${baseUrl}/pay/${reference}`,
  expiresAt: new Date(now.getTime() + LIVES_MS),
});

/** Exact by the tenant's clock, whether or not anybody looks. */
export const lookSimulated = ({ expiresAt, now }: Asked): Finding => ({
  status: expiresAt <= now ? 'expired' : 'pending',
});

export const refundSimulated = (id: string): RefundFinding => ({ status: 'succeeded', providerRefund: `simre_${id}` });
