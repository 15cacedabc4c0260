// Screens of what both environments share: in the sandbox, too, they read and change it in production.
import type { FunctionComponent } from 'preact';
import { Note } from '#edge/pages/design/display.tsx';
import type { ScreenProps } from './screen.ts';
import { DashboardState, useDashboard } from './session.ts';

/** A screen whose calls go to production in either environment. The sandbox shows the note. */
export const shared =
  (Screen: FunctionComponent<ScreenProps>, note?: string): FunctionComponent<ScreenProps> =>
  (props) => {
    const dashboard = useDashboard();
    return (
      <DashboardState.Provider value={{ ...dashboard, api: dashboard.sharedApi }}>
        <Screen {...props} />
        {note && dashboard.environment === 'sandbox' && <Note tone="warn">{note}</Note>}
      </DashboardState.Provider>
    );
  };
