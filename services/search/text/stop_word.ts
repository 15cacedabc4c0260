// Stop words, too frequent to distinguish products.

export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are at by for from in is it of on or the to with de der die das und la le les des du'.split(' '),
);

/** Stop words after which a phrase continues to its noun: "USB to VGA cable". */
export const JOINING: ReadonlySet<string> = new Set('and or to und'.split(' '));
