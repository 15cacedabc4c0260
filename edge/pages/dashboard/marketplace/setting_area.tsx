// Settings of a marketplace operator: audit log, its payment providers, people.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { AuditLog } from '#edge/pages/dashboard/setting/audit_log.tsx';
import { PaymentProviders } from '#edge/pages/dashboard/setting/payment_provider.tsx';
import { Staff } from '#edge/pages/dashboard/setting/staff.tsx';

export const screens: Screens = { '': AuditLog, payments: PaymentProviders, staff: Staff };
