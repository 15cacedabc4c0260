// Tells whether a caller asks for the lowest price before a reduction, which costs a statement more.

/** Whether `fields` names `lowest_price_30d`, of a product or of its variants. */
export const namesLowestPrice = (fields: string | null | undefined): boolean =>
  fields?.includes('lowest_price_30d') ?? false;
