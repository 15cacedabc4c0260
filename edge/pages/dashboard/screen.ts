// An area of the dashboard and its screens. The steps to add a screen:
//
// 1. `dashboard/AREA/area.tsx` exports `screens`: components by their path below the area. `''`, `'new'`, `':id'` are paths.
//    A screen gets `params`, and begins with a `PageHead`, whose title becomes the title of the page.
// 2. One line in the table of `area.ts` names the area, and loads that file as a separate bundle.
// 3. Screens read with `useRecord` and `useList`, and write with `useWrite` and `useForm`; `page.ts` exports them. Refusals
//    are shown by `ProblemNote`, and by each field at its place. Screens call the API by the public client alone.
// 4. Links are plain anchors: `<a href={at('orders/ord_1')}>`. Filters live in the address: `useFilters()`.
// 5. Components come from `edge/pages/design`; `/dashboard/design` shows them. Styles of one area are in
//    `dashboard/AREA/style.css`, below a class of that area.
// 6. A role sees no button that it may not use: `can('orders:write') && <Button …>`.
import type { FunctionComponent } from 'preact';
import type { IconName } from '#edge/pages/design/icon.tsx';
import type { StoreProfile } from '#proto/client/dashboard.ts';

export interface ScreenProps {
  /** Parts of the path by their names: `:id` is `params.id`. */
  readonly params: Readonly<Record<string, string>>;
}

export type Screens = Readonly<Record<string, FunctionComponent<ScreenProps>>>;

export interface Area {
  /** First part of the address; '' is the home. */
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Heading in the navigation. */
  readonly group: 'Sell' | 'Catalogue' | 'Service' | 'Store' | 'Marketplace';
  /** Roles without this scope do not see the area; null: everybody sees it. */
  readonly scope: string | null;
  /** Stores that do not pass it have no use for the area, and their navigation leaves it out. */
  readonly isFor?: (store: StoreProfile) => boolean;
  readonly load: () => Promise<{ readonly screens: Screens }>;
}

export interface FoundScreen {
  readonly Screen: FunctionComponent<ScreenProps>;
  readonly params: Readonly<Record<string, string>>;
}

const matchPath = (pattern: string, path: readonly string[]): Readonly<Record<string, string>> | null => {
  const parts = pattern === '' ? [] : pattern.split('/');
  if (parts.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = path[index]!;
    else if (part !== path[index]) return null;
  }
  return params;
};

/** The screen of a path below its area: the first that matches, so that `new` stands before `:id`. */
export const findScreen = (screens: Screens, path: readonly string[]): FoundScreen | null => {
  for (const [pattern, Screen] of Object.entries(screens)) {
    const params = matchPath(pattern, path);
    if (params) return { Screen, params };
  }
  return null;
};
