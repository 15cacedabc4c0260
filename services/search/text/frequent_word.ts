// Words too frequent to distinguish products.

export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are at by for from in is it of on or the to with de der die das und la le les des du'.split(' '),
);

/** Stop words that do not end a phrase: the noun may follow, as in "USB to VGA cable". */
export const JOINING: ReadonlySet<string> = new Set('and or to und'.split(' '));

/**
 * Words that may qualify any product, and are not treated as typos even if no product contains them: for quality,
 * price and style; for size, form, weight and feel; for colours and materials; for people and occasions; and those of
 * requests to a shop.
 */
export const QUALIFIERS: ReadonlySet<string> = new Set(
  (
    'nice best good great better cheap cheapest cheaper expensive pretty beautiful lovely cute cool fine perfect popular ' +
    'favorite favourite amazing awesome fancy elegant luxury premium quality classic modern vintage retro new newest latest ' +
    'used simple easy quick fast slow safe strong durable sturdy reliable affordable unique special funny personal cosy cozy ' +
    'big bigger large small smaller tiny little huge long short tall high low wide narrow thick thin slim flat deep round ' +
    'square heavy light lightweight portable compact soft hard warm cold hot dry wet clean bright dark quiet loud sharp smooth ' +
    'red blue green yellow orange purple pink brown black white grey gray beige golden silver colored coloured colorful ' +
    'wooden wood metal steel glass leather cotton wool silk linen plastic paper stone ceramic rubber ' +
    'kids kid child children baby boy boys girl girls man men woman women mom mum dad mother father wife husband friend ' +
    'birthday christmas easter wedding gift gifts present summer winter spring autumn holiday travel home work school ' +
    'office outdoor indoor everyday ' +
    'buy sale deal deals offer offers price prices discount online shop store want need find show me my your under over below ' +
    'about than with without any some all one two three four five free real right left open'
  ).split(' '),
);
