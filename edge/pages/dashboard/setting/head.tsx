// The heading of each settings screen, with tabs to the others.
import type { ComponentChildren } from 'preact';
import { at, useCan } from '#edge/pages/dashboard/page.ts';
import { PageHead, Tabs } from '#edge/pages/design/display.tsx';

/** The empty scope is an owner's. */
const SETTINGS = [
  { path: 'settings', label: 'Store', scope: 'store:read' },
  { path: 'settings/payments', label: 'Payment providers', scope: 'payments:read' },
  { path: 'settings/taxes', label: 'Taxes', scope: 'catalog:read' },
  { path: 'settings/currencies', label: 'Currencies', scope: 'store:read' },
  { path: 'settings/staff', label: 'Staff', scope: '' },
  { path: 'settings/keys', label: 'Keys', scope: '' },
  { path: 'settings/audit-log', label: 'Audit log', scope: 'store:read' },
] as const;

interface SettingsHeadProps {
  readonly title: (typeof SETTINGS)[number]['label'];
  readonly children?: ComponentChildren;
}

export const SettingsHead = ({ title, children }: SettingsHeadProps) => {
  const can = useCan();
  return (
    <>
      <PageHead title={title}>{children}</PageHead>
      <Tabs
        label="Settings"
        tabs={SETTINGS.filter(({ scope }) => can(scope)).map(({ path, label }) => ({
          label,
          to: at(path),
          current: label === title,
        }))}
      />
    </>
  );
};
