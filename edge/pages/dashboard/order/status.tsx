// Statuses of orders and payments as badges, and the choices of their filters.
import { Badge, type Tone } from '#edge/pages/design/display.tsx';
import type { Option } from '#edge/pages/design/field.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'warn',
  processing: 'warn',
  shipped: 'go',
  delivered: 'go',
  paid: 'go',
  succeeded: 'go',
  cancelled: 'no',
  failed: 'no',
};

export const words = (status: string): string => {
  const text = status.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>
);

const optionsOf = (statuses: readonly string[]): readonly Option[] =>
  statuses.map((value) => ({ value, label: words(value) }));

export const ORDER_STATUSES = optionsOf(['pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled']);
export const PAYMENT_STATUSES = optionsOf([
  'pending',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
  'voided',
]);
