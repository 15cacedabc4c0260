// Screens of what both environments share: in the sandbox, too, they read and change it in production.
import type { FunctionComponent } from 'preact';
import type { ScreenProps } from './screen.ts';
import { DashboardState, isTestKey, useDashboard } from './session.ts';

/** Shown where a test key is signed in. */
export const TEST_KEY_NOTE =
  'Both environments share this, and a test key does not change it. Sign in as a person, or to production with a live key, to change it.';

/** A screen whose calls go to production in either environment. The sandbox shows the note. */
export const shared =
  (Screen: FunctionComponent<ScreenProps>, note?: string): FunctionComponent<ScreenProps> =>
  (props) => {
    const dashboard = useDashboard();
    const isReadOnly = isTestKey(dashboard);
    const sharedNote = isReadOnly ? TEST_KEY_NOTE : dashboard.environment === 'sandbox' ? note : undefined;
    return (
      <DashboardState.Provider value={{ ...dashboard, api: dashboard.sharedApi, sharedNote, isReadOnly }}>
        <Screen {...props} />
      </DashboardState.Provider>
    );
  };
