// The console's tabs, and which of them a key's owner sees.
import type { FunctionComponent } from 'preact';
import type { Api } from './api.ts';
import { Assistants } from './assistant.tsx';
import { Channels } from './channel.tsx';
import { Checkouts } from './checkout.tsx';
import { Endpoints } from './endpoint.tsx';
import { Events } from './event.tsx';
import { Grants } from './grant.tsx';
import { Orders } from './order.tsx';
import { Sandbox } from './sandbox.tsx';
import { Traffic } from './traffic.tsx';
import { UsageView } from './usage.tsx';
import { WaitingTab } from './waiting.tsx';
import { WholesaleTab } from './wholesale/tab.tsx';

export interface ConsoleTab {
  readonly name: string;
  readonly Tab: FunctionComponent<{ readonly api: Api }>;
  /** Changes orders, stock or money; shown only for a sandbox. */
  readonly sandboxOnly?: boolean;
  /** The scope of its calls, for tabs that the dashboard shows developers; the empty scope is an owner's alone. */
  readonly scope?: string;
}

const TABS: readonly ConsoleTab[] = [
  { name: 'Traffic', Tab: Traffic, scope: '' },
  { name: 'Events', Tab: Events, scope: 'webhooks:read' },
  { name: 'Webhooks', Tab: Endpoints, scope: 'webhooks:read' },
  { name: 'Orders', Tab: Orders, sandboxOnly: true },
  { name: 'Assistants', Tab: Assistants, scope: 'orders:read' },
  { name: 'Waiting', Tab: WaitingTab, sandboxOnly: true },
  { name: 'Wholesale', Tab: WholesaleTab, sandboxOnly: true },
  { name: 'Channels', Tab: Channels, scope: 'catalog:read' },
  { name: 'Grants', Tab: Grants },
  { name: 'Sandbox', Tab: Sandbox, sandboxOnly: true, scope: '' },
  { name: 'Usage', Tab: UsageView, scope: 'store:read' },
];
const OPERATOR_TABS: readonly ConsoleTab[] = [{ name: 'Checkouts', Tab: Checkouts }];

export const tabsFor = ({ isOperator, isTest }: Api, wholesale: boolean): readonly ConsoleTab[] =>
  isOperator
    ? OPERATOR_TABS
    : TABS.filter(({ name, sandboxOnly }) => (isTest || !sandboxOnly) && (wholesale || name !== 'Wholesale'));

export const developerTabs = (isTest: boolean, can: (scope: string) => boolean): readonly ConsoleTab[] =>
  TABS.filter(({ sandboxOnly, scope }) => scope !== undefined && can(scope) && (isTest || !sandboxOnly));
