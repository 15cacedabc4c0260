// Settings: the store's profile, its people, keys and apps, payment providers, taxes, currencies, languages, mails, and the audit log.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { shared } from '#edge/pages/dashboard/shared.tsx';
import { Apps } from './app.tsx';
import { AuditLog } from './audit_log.tsx';
import { Currencies } from './currency.tsx';
import { Keys } from './key.tsx';
import { Languages } from './language.tsx';
import { MailScreen } from './mail.tsx';
import { MailList } from './mail_list.tsx';
import { PaymentProviders } from './payment_provider.tsx';
import { StoreSettings } from './profile.tsx';
import { Staff } from './staff.tsx';
import { TaxRates } from './tax_rate.tsx';

export const screens: Screens = {
  '': shared(StoreSettings, 'Production has the same profile: a change counts there, too.'),
  staff: shared(Staff, 'The same people work in production.'),
  keys: shared(Keys),
  payments: PaymentProviders,
  taxes: TaxRates,
  currencies: Currencies,
  languages: shared(Languages, 'Production has the same languages: a change counts there, too.'),
  apps: Apps,
  mails: MailList,
  'mails/:kind': MailScreen,
  'audit-log': AuditLog,
};
