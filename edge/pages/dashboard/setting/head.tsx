// The heading of each settings screen, with tabs to the others.
import type { ComponentChildren } from 'preact';
import { at, useDashboard } from '#edge/pages/dashboard/page.ts';
import { isAllowed } from '#edge/pages/dashboard/session.ts';
import { Note, PageHead, Tabs } from '#edge/pages/design/display.tsx';

/** The empty scope is an owner's. Carriers, channels and webhooks lead to other areas. */
const SETTINGS = [
  { path: 'settings', label: 'Store', scope: 'store:read' },
  { path: 'settings/payments', label: 'Payment providers', scope: 'payments:read' },
  { path: 'settings/taxes', label: 'Taxes', scope: 'catalog:read' },
  { path: 'settings/currencies', label: 'Currencies', scope: 'store:read' },
  { path: 'settings/languages', label: 'Languages', scope: 'store:read' },
  { path: 'delivery/carriers', label: 'Carriers', scope: 'shipping:read' },
  { path: 'developers/channels', label: 'Channels', scope: 'catalog:read' },
  { path: 'developers/webhooks', label: 'Webhooks', scope: 'webhooks:read' },
  { path: 'settings/mails', label: 'Mails', scope: 'mails:read' },
  { path: 'settings/staff', label: 'Staff', scope: '' },
  { path: 'settings/keys', label: 'Keys', scope: '' },
  { path: 'settings/apps', label: 'Apps', scope: '' },
  { path: 'settings/audit-log', label: 'Audit log', scope: 'store:read' },
] as const;

/** Settings of a marketplace operator. */
const OPERATOR_SETTINGS = [
  { path: 'settings', label: 'Audit log', scope: 'store:read' },
  { path: 'settings/payments', label: 'Payment providers', scope: 'payments:read' },
  { path: 'settings/staff', label: 'Staff', scope: '' },
] as const;

interface SettingsHeadProps {
  readonly title: (typeof SETTINGS)[number]['label'];
  readonly children?: ComponentChildren;
}

export const SettingsHead = ({ title, children }: SettingsHeadProps) => {
  const { session, sharedNote } = useDashboard();
  const settings = session.operator ? OPERATOR_SETTINGS : SETTINGS;
  return (
    <>
      <PageHead title={title}>{children}</PageHead>
      <Tabs
        label="Settings"
        tabs={settings
          .filter(({ scope }) => isAllowed(session, scope))
          .map(({ path, label }) => ({
            label,
            to: at(path),
            current: label === title,
          }))}
      />
      {sharedNote && <Note tone="warn">{sharedNote}</Note>}
    </>
  );
};
