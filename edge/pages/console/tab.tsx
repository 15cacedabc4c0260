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
  /** Shows what developers look for, not a merchant's daily work. */
  readonly forDevelopers?: boolean;
}

const TABS: readonly ConsoleTab[] = [
  { name: 'Traffic', Tab: Traffic, forDevelopers: true },
  { name: 'Events', Tab: Events, forDevelopers: true },
  { name: 'Webhooks', Tab: Endpoints, forDevelopers: true },
  { name: 'Orders', Tab: Orders, sandboxOnly: true },
  { name: 'Assistants', Tab: Assistants, forDevelopers: true },
  { name: 'Waiting', Tab: WaitingTab, sandboxOnly: true },
  { name: 'Wholesale', Tab: WholesaleTab, sandboxOnly: true },
  { name: 'Channels', Tab: Channels, forDevelopers: true },
  { name: 'Grants', Tab: Grants, forDevelopers: true },
  { name: 'Sandbox', Tab: Sandbox, sandboxOnly: true, forDevelopers: true },
  { name: 'Usage', Tab: UsageView, forDevelopers: true },
];
const OPERATOR_TABS: readonly ConsoleTab[] = [{ name: 'Checkouts', Tab: Checkouts }];

export const tabsFor = ({ isOperator, isTest }: Api, wholesale: boolean): readonly ConsoleTab[] =>
  isOperator
    ? OPERATOR_TABS
    : TABS.filter(({ name, sandboxOnly }) => (isTest || !sandboxOnly) && (wholesale || name !== 'Wholesale'));

/** The dashboard's section for developers: its own screens replace the other tabs. */
export const developerTabs = (isTest: boolean): readonly ConsoleTab[] =>
  TABS.filter(({ sandboxOnly, forDevelopers }) => forDevelopers && (isTest || !sandboxOnly));
