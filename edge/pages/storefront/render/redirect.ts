// Addresses of products in the shop from which a catalogue was imported. Pure.

/** The slug of a product by its handle in the earlier shop. */
export type Redirects = ReadonlyMap<string, string>;

/** `csv` is the file that `stoa import` writes beside an imported one: `old_handle,product_slug`. */
export const readRedirects = (csv: string): Redirects =>
  new Map(
    csv
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',').map((field) => field.replace(/^"|"$/g, '').replaceAll('""', '"')))
      .filter((fields) => fields.length === 2 && fields.every(Boolean))
      .map(([handle = '', slug = '']) => [handle, slug]),
  );
