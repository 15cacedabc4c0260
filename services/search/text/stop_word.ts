// Stop words: said so often that they tell nothing of a product.

export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are at by for from in is it of on or the to with de der die das und la le les des du'.split(' '),
);

/** Those of them behind which a phrase goes on to say its thing: "USB to VGA cable", "phone and tablet stand". */
export const JOINING: ReadonlySet<string> = new Set('and or to und'.split(' '));
