// Icons: lines on a square of 24 units, in the colour of the text beside them.

const PATHS = {
  home: 'M4 11 12 4l8 7M6 10v10h12V10M10 20v-6h4v6',
  order: 'M6 4h12l1 16-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6',
  product: 'M12 3 4 7v10l8 4 8-4V7zM4 7l8 4 8-4M12 11v10',
  category: 'M4 4h7v5H4zM13 10h7v4h-7zM13 16h7v4h-7zM7 9v9h6M7 12h6',
  collection: 'M8 8h12v12H8zM4 16V4h12',
  stock: 'M4 20V9l8-5 8 5v11M8 20v-7h8v7M8 16h8',
  customer: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6',
  discount: 'M4 12V4h8l8 8-8 8zM8.5 8.5h.01',
  delivery: 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  tax: 'M6 3h12v18H6zM9 8h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h.01M15 16h.01',
  service: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  content: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h4',
  wholesale: 'M3 20h18M5 20V8l7-4 7 4v12M9 12h2M13 12h2M9 16h2M13 16h2',
  marketplace: 'M4 9l1-5h14l1 5M4 9a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0A2.7 2.7 0 0 0 20 9M6 12v8h12v-8',
  figure: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  setting: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  developer: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  check: 'M5 12l5 5 9-10',
  add: 'M12 5v14M5 12h14',
  handle: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  request: 'M4 8h13l-4-4M20 16H7l4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers: the text beside it, or the button's label, says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
