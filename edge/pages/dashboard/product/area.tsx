// Products: the grid, one product with its variants and pictures, a new product, and the import of a file.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { ProductScreen } from './detail.tsx';
import { ImportScreen } from './import.tsx';
import { ProductList } from './list.tsx';
import { NewProduct } from './new_product.tsx';
import { VariantScreen } from './variant.tsx';

export const screens: Screens = {
  '': ProductList,
  new: NewProduct,
  import: ImportScreen,
  ':id': ProductScreen,
  ':id/variants': VariantScreen,
};
