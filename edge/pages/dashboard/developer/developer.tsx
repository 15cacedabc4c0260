// Shows the console's tabs inside the frame, over the dashboard's own session.
import { useMemo } from 'preact/hooks';
import { apiOver } from '#edge/pages/console/api.ts';
import { developerTabs } from '#edge/pages/console/tab.tsx';
import { at, type ScreenProps, useCan, useDashboard } from '#edge/pages/dashboard/page.ts';
import { Empty, PageHead, Tabs } from '#edge/pages/design/display.tsx';

export const DeveloperScreen = ({ params: { tab } }: ScreenProps) => {
  const { environment, headers } = useDashboard();
  const isTest = environment === 'sandbox';
  const names = JSON.stringify(headers);
  const api = useMemo(
    () => apiOver({ isTest, isOperator: false, credentials: 'same-origin', headers }),
    [isTest, names],
  );
  const tabs = developerTabs(isTest, useCan());
  const shown = tab === undefined ? tabs[0] : tabs.find(({ name }) => name.toLowerCase() === tab);
  return (
    <>
      <PageHead title="Developers">
        <a href="/docs/guides">Guides</a>
        <a href="/docs">API reference</a>
      </PageHead>
      <Tabs
        label="Developers"
        tabs={tabs.map((each) => ({
          label: each.name,
          to: at(`developers/${each.name.toLowerCase()}`),
          current: each === shown,
        }))}
      />
      {shown ? (
        <div class="developers">
          <shown.Tab key={names} api={api} />
        </div>
      ) : (
        <Empty title="There is no such tab" />
      )}
    </>
  );
};
