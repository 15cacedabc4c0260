// Statuses of records as badges, and codes of the API as words.

import { Badge, type Tone } from '#edge/pages/design/display.tsx';
import type { Option } from '#edge/pages/design/field.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'warn',
  processing: 'warn',
  shipped: 'go',
  delivered: 'go',
  authorized: 'warn',
  paid: 'go',
  succeeded: 'go',
  approved: 'go',
  received: 'warn',
  resolved: 'go',
  requested: 'warn',
  open: 'warn',
  under_review: 'warn',
  rejected: 'no',
  cancelled: 'no',
  failed: 'no',
  voided: 'no',
};

export const words = (status: string): string => {
  const text = status.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>
);

export const optionsOf = (statuses: readonly string[]): readonly Option[] =>
  statuses.map((value) => ({ value, label: words(value) }));
