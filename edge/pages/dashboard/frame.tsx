// The frame around every screen: navigation, the shown area, the page's title, and the panels over it.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Empty, Note, Skeleton } from '#edge/pages/design/display.tsx';
import { Toasts } from '#edge/pages/design/toast.tsx';
import { at, useAddress } from './address.ts';
import { areasOf, HIDDEN_AREAS } from './area.ts';
import { CommandSearch, useCommandKey } from './command.tsx';
import { BottomNavigation, SideNavigation, useAreas } from './navigation.tsx';
import { RequestPanel } from './request_log.tsx';
import { type Area, findScreen, type Screens } from './screen.ts';
import { employerName, isAllowed, useDashboard } from './session.ts';

/** The title is that of the screen's heading. */
const useTitle = (store: string, isSandbox: boolean): void =>
  useEffect(() => {
    const ending = isSandbox ? `${store} (sandbox)` : store;
    const main = document.querySelector('main')!;
    const tell = (): void => {
      const heading = main.querySelector('h1')?.textContent ?? '';
      document.title = heading === '' ? ending : `${heading} · ${ending}`;
    };
    const watch = new MutationObserver(tell);
    watch.observe(main, { subtree: true, childList: true, characterData: true });
    tell();
    return () => watch.disconnect();
  }, [store, isSandbox]);

interface BoundaryProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A fault of one screen leaves the others alone. */
class ScreenBoundary extends Component<BoundaryProps, { readonly fault: boolean }> {
  override state = { fault: false };

  static override getDerivedStateFromError = () => ({ fault: true });

  override componentDidUpdate({ name }: BoundaryProps): void {
    if (name !== this.props.name && this.state.fault) this.setState({ fault: false });
  }

  override render() {
    if (!this.state.fault) return this.props.children;
    return (
      <Note tone="no">
        <b>This screen has failed.</b>
        <span>What you saved is safe. Load the page again.</span>
        <div class="row">
          <Button press={() => location.reload()}>Load the page again</Button>
        </div>
      </Note>
    );
  }
}

const Missing = () => (
  <Empty title="There is no such screen">
    <a href={at('')}>Home</a>
  </Empty>
);

interface LoadedArea {
  readonly area: Area;
  readonly screens: Screens | 'failed';
}

const useScreens = (area: Area | undefined): LoadedArea | null => {
  const [loaded, setLoaded] = useState<LoadedArea | null>(null);
  useEffect(() => {
    if (!area) return;
    let over = false;
    area.load().then(
      ({ screens }) => over || setLoaded({ area, screens }),
      // The files of an older version are gone once a newer one is served.
      () => over || setLoaded({ area, screens: 'failed' }),
    );
    return () => {
      over = true;
    };
  }, [area]);
  return loaded?.area === area ? loaded : null;
};

const ShownScreen = () => {
  const { environment, path } = useAddress();
  const { session } = useDashboard();
  const area = [...areasOf(session), ...HIDDEN_AREAS].find((each) => each.path === (path[0] ?? ''));
  const loaded = useScreens(area);
  if (!area) return <Missing />;
  if (!isAllowed(session, area.scope))
    return (
      <Empty title={`Your role does not open ${area.name}`}>
        <p>An owner can give you another role.</p>
      </Empty>
    );
  if (!loaded) return <Skeleton lines={6} />;
  if (loaded.screens === 'failed')
    return (
      <Empty title="This screen could not be loaded">
        <Button press={() => location.reload()}>Load the page again</Button>
      </Empty>
    );
  const found = findScreen(loaded.screens, path.slice(1));
  if (!found) return <Missing />;
  const { Screen, params } = found;
  const name = `${environment}/${path.join('/')}`;
  return (
    <ScreenBoundary name={name}>
      <Screen key={name} params={params} />
    </ScreenBoundary>
  );
};

export const Frame = () => {
  const { environment, session } = useDashboard();
  const { path } = useAddress();
  const [panel, setPanel] = useState<'requests' | 'command' | null>(null);
  const close = (): void => setPanel(null);
  const areas = useAreas();
  useCommandKey(() => setPanel('command'));
  const main = useRef<HTMLElement>(null);
  const isSandbox = environment === 'sandbox';
  useTitle(employerName(session), isSandbox);
  const first = useRef(true);
  const place = path.join('/');
  useEffect(() => {
    // A reader who follows a link reads on in the new screen.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [place, environment]);
  return (
    <div class={`frame ${environment}`}>
      {/* The screen takes the focus by script: an address with `#` would be another step of the history. */}
      <button type="button" class="skip button" onClick={() => main.current?.focus()}>
        To the screen
      </button>
      <header class="band">
        <b>{isSandbox ? 'Sandbox' : 'Production'}</b>
        <span class="band-store">{employerName(session)}</span>
        <IconButton icon="search" label="Go to (Ctrl+K)" press={() => setPanel('command')} />
        <IconButton icon="request" label="The request behind this" press={() => setPanel('requests')} />
      </header>
      <SideNavigation />
      <main id="screen" ref={main} tabIndex={-1}>
        <div class="stack">
          <ShownScreen />
        </div>
      </main>
      <BottomNavigation />
      {panel === 'requests' && <RequestPanel isSandbox={isSandbox} close={close} />}
      {panel === 'command' && <CommandSearch areas={areas} close={close} />}
      <Toasts />
    </div>
  );
};
