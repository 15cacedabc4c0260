// The navigation: a column on a desk; a bar of four areas, and a menu of all of them, on a telephone.
import { useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Icon } from '#edge/pages/design/icon.tsx';
import { addressIn, at, useAddress } from './address.ts';
import { areasOf } from './area.ts';
import type { Area } from './screen.ts';
import { employerName, isAllowed, useDashboard } from './session.ts';

const GROUPS = ['Sell', 'Catalogue', 'Service', 'Store', 'Marketplace'] as const;
/** Areas that a telephone shows at once; its menu has them all. */
const IN_BAR = ['', 'orders', 'products', 'stock', 'group-orders', 'merchants', 'sections'];

export const useAreas = (): readonly Area[] => {
  const { session } = useDashboard();
  return areasOf(session).filter(
    ({ scope, isFor }) => isAllowed(session, scope) && (!isFor || (session.store !== null && isFor(session.store))),
  );
};

const AreaLink = ({ area: { path, name, icon } }: { readonly area: Area }) => {
  const { environment, path: shown } = useAddress();
  return (
    <a href={addressIn(environment, path)} aria-current={(shown[0] ?? '') === path ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{name}</span>
    </a>
  );
};

const AreaList = () => {
  const areas = useAreas();
  return (
    <>
      {GROUPS.map((group) => {
        const own = areas.filter((area) => area.group === group);
        return own.length === 0 ? null : (
          <div key={group} class="area-group">
            <h2>{group}</h2>
            <ul>
              {own.map((area) => (
                <li key={area.path}>
                  <AreaLink area={area} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
};

/** Which environment is shown, by word and colour, and the way to the other one. */
export const EnvironmentSwitch = () => {
  const { environment } = useDashboard();
  const { path } = useAddress();
  const link = (to: 'production' | 'sandbox', name: string) => (
    <a href={addressIn(to, path[0] ?? '')} aria-current={environment === to ? 'true' : undefined}>
      {name}
    </a>
  );
  return (
    <nav class={`environment ${environment}`} aria-label="Environment">
      {link('production', 'Production')}
      {link('sandbox', 'Sandbox')}
    </nav>
  );
};

const Account = () => {
  const { session, signOut } = useDashboard();
  return (
    <div class="account">
      {session.staff && (
        <a href={at('account')}>
          {session.staff.name ?? session.staff.email} <small>{session.staff.role}</small>
        </a>
      )}
      <Button press={() => void signOut()}>Sign out</Button>
    </div>
  );
};

export const SideNavigation = () => {
  const { session } = useDashboard();
  return (
    <aside class="side" aria-label="Store">
      <p class="store-name">{employerName(session)}</p>
      <EnvironmentSwitch />
      <nav aria-label="Areas">
        <AreaList />
      </nav>
      <Account />
    </aside>
  );
};

export const BottomNavigation = () => {
  const [open, setOpen] = useState(false);
  const areas = useAreas();
  return (
    <>
      <nav class="bottom" aria-label="Main areas">
        {areas
          .filter(({ path }) => IN_BAR.includes(path))
          .map((area) => (
            <AreaLink key={area.path} area={area} />
          ))}
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="menu" />
          <span>Menu</span>
        </button>
      </nav>
      {open && (
        <Dialog title="Menu" close={() => setOpen(false)}>
          {/* A chosen area closes the menu; the link itself works by the keyboard. */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its links */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
          <div
            class="all-areas"
            onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}
          >
            <EnvironmentSwitch />
            <AreaList />
            <Account />
          </div>
          <div class="buttons">
            <Button press={() => setOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
};
