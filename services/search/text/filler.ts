/** Words said so often that they tell nothing of a product. */
export const FILLERS: ReadonlySet<string> = new Set(
  'a an and are at by for from in is it of on or the to with de der die das und la le les des du'.split(' '),
);
