// The table of areas, in the order of the navigation. An area is one line; its screens are loaded when it is first shown.
import type { Area } from './screen.ts';
import type { DashboardSession } from './session.ts';

const STORE_AREAS: readonly Area[] = [
  { path: '', name: 'Home', icon: 'home', group: 'Sell', scope: null, load: () => import('./home/area.tsx') },
  {
    path: 'orders',
    name: 'Orders',
    icon: 'order',
    group: 'Sell',
    scope: 'orders:read',
    load: () => import('./order/area.tsx'),
  },
  {
    path: 'customers',
    name: 'Customers',
    icon: 'customer',
    group: 'Sell',
    scope: 'customers:read',
    load: () => import('./customer/area.tsx'),
  },
  {
    path: 'discounts',
    name: 'Discounts',
    icon: 'discount',
    group: 'Sell',
    scope: 'promotions:read',
    load: () => import('./discount/area.tsx'),
  },
  {
    path: 'products',
    name: 'Products',
    icon: 'product',
    group: 'Catalogue',
    scope: 'catalog:read',
    load: () => import('./product/area.tsx'),
  },
  {
    path: 'categories',
    name: 'Categories',
    icon: 'category',
    group: 'Catalogue',
    scope: 'catalog:read',
    load: () => import('./category/area.tsx'),
  },
  {
    path: 'collections',
    name: 'Collections',
    icon: 'collection',
    group: 'Catalogue',
    scope: 'catalog:read',
    load: () => import('./collection/area.tsx'),
  },
  {
    path: 'price-lists',
    name: 'Price lists',
    icon: 'tax',
    group: 'Catalogue',
    scope: 'catalog:read',
    load: () => import('./price_list/area.tsx'),
  },
  {
    path: 'stock',
    name: 'Stock',
    icon: 'stock',
    group: 'Catalogue',
    scope: 'catalog:read',
    load: () => import('./stock/area.tsx'),
  },
  {
    path: 'content',
    name: 'Content',
    icon: 'content',
    group: 'Catalogue',
    scope: 'content:read',
    load: () => import('./content/area.tsx'),
  },
  {
    path: 'service',
    name: 'Service',
    icon: 'service',
    group: 'Service',
    scope: null,
    load: () => import('./service/area.tsx'),
  },
  {
    path: 'payments',
    name: 'Payments',
    icon: 'figure',
    group: 'Sell',
    scope: 'payments:read',
    load: () => import('./payment/area.tsx'),
  },
  {
    path: 'settings',
    name: 'Settings',
    icon: 'setting',
    group: 'Store',
    scope: 'store:read',
    load: () => import('./setting/area.tsx'),
  },
  {
    path: 'wholesale',
    name: 'Wholesale',
    icon: 'wholesale',
    group: 'Sell',
    scope: 'b2b:read',
    isFor: ({ wholesale_enabled }) => wholesale_enabled,
    load: () => import('./wholesale/area.tsx'),
  },
  {
    path: 'delivery',
    name: 'Delivery',
    icon: 'delivery',
    group: 'Store',
    scope: 'shipping:read',
    load: () => import('./delivery/area.tsx'),
  },
  {
    path: 'developers',
    name: 'Developers',
    icon: 'developer',
    group: 'Store',
    scope: 'store:read',
    load: () => import('./developer/area.tsx'),
  },
];

/** Areas for staff of a marketplace operator, which has none of a store's. */
const OPERATOR_AREAS: readonly Area[] = [
  {
    path: '',
    name: 'Home',
    icon: 'home',
    group: 'Sell',
    scope: null,
    load: () => import('./marketplace/home_area.tsx'),
  },
  {
    path: 'group-orders',
    name: 'Orders',
    icon: 'order',
    group: 'Sell',
    scope: 'orders:read',
    load: () => import('./marketplace/group_order_area.tsx'),
  },
  {
    path: 'merchants',
    name: 'Merchants',
    icon: 'marketplace',
    group: 'Sell',
    scope: 'store:read',
    load: () => import('./marketplace/merchant_area.tsx'),
  },
  {
    path: 'sections',
    name: 'Sections',
    icon: 'collection',
    group: 'Catalogue',
    scope: 'content:read',
    load: () => import('./marketplace/section_area.tsx'),
  },
  {
    path: 'settings',
    name: 'Settings',
    icon: 'setting',
    group: 'Marketplace',
    scope: 'store:read',
    load: () => import('./marketplace/setting_area.tsx'),
  },
];

export const areasOf = ({ operator }: Pick<DashboardSession, 'operator'>): readonly Area[] =>
  operator ? OPERATOR_AREAS : STORE_AREAS;

/** Areas without a place in the navigation. */
export const HIDDEN_AREAS: readonly Area[] = [
  {
    path: 'account',
    name: 'Account',
    icon: 'customer',
    group: 'Store',
    scope: null,
    load: () => import('./account/area.tsx'),
  },
  {
    path: 'design',
    name: 'Design',
    icon: 'content',
    group: 'Store',
    scope: null,
    load: () => import('./design/area.tsx'),
  },
];
