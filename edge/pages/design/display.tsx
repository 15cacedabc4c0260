// Shows content without input: sheets, badges, notes, empty states, skeletons, tabs.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'plain' | 'go' | 'warn' | 'no';

export const Sheet = ({
  title,
  action,
  flush = false,
  children,
}: {
  readonly title?: string;
  readonly action?: ComponentChildren;
  /** Lets a table reach the sheet's edges. */
  readonly flush?: boolean;
  readonly children: ComponentChildren;
}) => (
  <section class={flush ? 'sheet flush' : 'sheet'}>
    {title && (
      <div class="row between">
        <h2>{title}</h2>
        {action}
      </div>
    )}
    {children}
  </section>
);

export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={tone === 'plain' ? 'badge' : `badge ${tone}`}>{children}</span>
);

/** A narrow column breaks it before its `@` alone. */
export const EmailText = ({ email }: { readonly email: string | null }) => {
  const [name, domain] = (email ?? '').split('@');
  return (
    <>
      {name}
      {domain !== undefined && (
        <>
          <wbr />@{domain}
        </>
      )}
    </>
  );
};

export const Note = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <div class={tone === 'plain' ? 'note' : `note ${tone}`}>{children}</div>
);

export const Empty = ({
  title,
  icon,
  children,
}: {
  readonly title: string;
  readonly icon?: IconName;
  /** Says what to do, with a button for it. */
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    {icon && <Icon name={icon} />}
    <h2>{title}</h2>
    {children}
  </div>
);

export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="stack" aria-busy="true">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, at) => (
      <div key={at} class="skeleton line" />
    ))}
  </div>
);

export interface TabLink {
  readonly label: string;
  readonly to: string;
  readonly current: boolean;
  readonly count?: number | undefined;
}

/** Each tab has its own URL. A telephone shows a row of tabs that scrolls: the current one is in view. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }) => {
  const row = useRef<HTMLElement>(null);
  const current = tabs.find((tab) => tab.current)?.to;
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (tab && row.current) row.current.scrollLeft = tab.offsetLeft - row.current.offsetLeft;
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map((tab) => (
        <a key={tab.to} href={tab.to} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
          {tab.count !== undefined && <Badge>{tab.count}</Badge>}
        </a>
      ))}
    </nav>
  );
};

export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="facts">
    {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-value`}>{value}</dd>])}
  </dl>
);

export const PageHead = ({
  title,
  up,
  badge,
  children,
}: {
  readonly title: string;
  /** The list that this record is in. */
  readonly up?: { readonly label: string; readonly to: string };
  readonly badge?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <div class="page-head">
    <div>
      {up && (
        <a class="up" href={up.to}>
          {up.label}
        </a>
      )}
      <div class="row">
        <h1>{title}</h1>
        {badge}
      </div>
    </div>
    {children && <div class="row">{children}</div>}
  </div>
);
