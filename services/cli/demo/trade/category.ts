// The wholesale shop's categories.
import type { DemoCategory } from '#services/cli/demo/shop.ts';

export const CATEGORIES: readonly DemoCategory[] = [
  {
    name: 'Coffee by the Sack',
    description: 'Green for those who roast, roasted for those who pour.',
    subcategories: [
      {
        name: 'Sacks',
        google_product_category: 'Food, Beverages & Tobacco > Beverages > Coffee',
        meta_product_category: 'food & beverages > beverages > coffee',
      },
    ],
  },
  {
    name: 'For the Counter',
    description: 'What stands between the roaster and the guest, in the numbers in which a house breaks it.',
    subcategories: [
      {
        name: 'Cups by the Case',
        google_product_category: 'Home & Garden > Kitchen & Dining > Tableware > Drinkware > Mugs',
        meta_product_category: 'home > kitchen & dining > tableware > drinkware',
      },
      {
        name: 'Bar Tools',
        google_product_category: 'Business & Industrial > Food Service',
        meta_product_category: 'business & industrial > food service',
      },
    ],
  },
  {
    name: 'For the House',
    description: 'Linen and seats for verandahs that are full from seven.',
    subcategories: [
      {
        name: 'Linen & Seats',
        google_product_category: 'Home & Garden > Linens & Bedding > Table Linens',
        meta_product_category: 'home > kitchen & dining > table linens',
      },
    ],
  },
];
