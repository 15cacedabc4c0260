// The demo shop's reviews, and the shop's decision on each.
import { AMINA, BRIAN, type DemoShopper, GRACE, HASSAN, LUCIA, TOM, WANJIRU, ZAWADI } from './shopper.ts';

export interface DemoReview {
  readonly product: string;
  readonly shopper: DemoShopper;
  readonly rating: 1 | 2 | 3 | 4 | 5;
  readonly title: string;
  readonly body: string;
  readonly bought: boolean;
  readonly votes: number;
  /** Null while the review awaits moderation. */
  readonly verdict: 'approved' | { readonly rejected: string } | null;
}

type Said = Pick<DemoReview, 'product' | 'shopper' | 'rating' | 'title' | 'body'>;

const approved = (votes: number, bought: boolean, said: Said): DemoReview => ({
  ...said,
  bought,
  votes,
  verdict: 'approved',
});

export const REVIEWS: readonly DemoReview[] = [
  approved(4, true, {
    product: 'Highland Mug',
    shopper: ZAWADI,
    rating: 5,
    title: 'My hands know it by now',
    body: 'Heavier than it looks, and it keeps tea warm until I remember that I made some. The third of three is still in its paper.',
  }),
  approved(2, true, {
    product: 'Highland Mug',
    shopper: HASSAN,
    rating: 5,
    title: 'No two alike',
    body: 'We have four, and everybody at the table knows which one is theirs.',
  }),
  approved(1, true, {
    product: 'Highland Mug',
    shopper: LUCIA,
    rating: 4,
    title: 'Lovely, a little large',
    body: 'It does not fit under the spout of our coffee machine. As a tea mug it could not be better.',
  }),
  approved(3, false, {
    product: 'Highland Mug',
    shopper: TOM,
    rating: 3,
    title: 'Handle is tight',
    body: 'A present. Beautiful glaze, but I get two fingers through the handle and no more.',
  }),
  approved(5, true, {
    product: 'Rift Valley Wool Blanket',
    shopper: GRACE,
    rating: 5,
    title: 'Worth every shilling',
    body: 'Two cold seasons in Limuru and it has lost nothing but its folds. Air it once in the sun, then never think of it again.',
  }),
  approved(0, true, {
    product: 'Rift Valley Wool Blanket',
    shopper: BRIAN,
    rating: 4,
    title: 'Warm, and honest about it',
    body: 'It scratches for the first week, as the shop says it will. Now the cat and I share it.',
  }),
  approved(2, true, {
    product: 'Kiondo Market Basket',
    shopper: AMINA,
    rating: 5,
    title: 'My grandmother approved',
    body: 'She turned it over, counted the rows at the base and nodded. Higher praise there is not.',
  }),
  approved(0, false, {
    product: 'Kiondo Market Basket',
    shopper: WANJIRU,
    rating: 4,
    title: 'Stands by itself',
    body: 'Holds a week of vegetables. I would like the handle a hand longer.',
  }),
  approved(1, true, {
    product: 'Jioni Solar Lantern',
    shopper: HASSAN,
    rating: 5,
    title: 'Through three power cuts',
    body: 'A day on the windowsill gives us two evenings. The warm setting is kind to sleeping children.',
  }),
  approved(2, true, {
    product: 'Jioni Solar Lantern',
    shopper: TOM,
    rating: 2,
    title: 'Not for the rainy season',
    body: 'In July the sun does not fill it, and the socket for charging by cable is hard to open with wet hands.',
  }),
  approved(0, true, {
    product: 'Cook’s Knife, 20 cm',
    shopper: WANJIRU,
    rating: 5,
    title: 'Sharp out of the box',
    body: 'It takes an edge on a plain stone and keeps it. Wipe it dry, it is not stainless.',
  }),
  approved(1, true, {
    product: 'Nyeri Hills Whole Bean',
    shopper: LUCIA,
    rating: 5,
    title: 'Blackcurrant, really',
    body: 'I laughed at the label and then there it was. Roasted four days before it came.',
  }),
  approved(0, true, {
    product: 'Nyeri Hills Whole Bean',
    shopper: ZAWADI,
    rating: 4,
    title: 'Good in the moka pot too',
    body: 'A shade finer than the bag suggests and it is lovely with milk.',
  }),
  approved(0, true, {
    product: 'Enamel Stew Pot',
    shopper: GRACE,
    rating: 4,
    title: 'Feeds eleven',
    body: 'We counted. The lid sits well; the handles want a cloth.',
  }),
  approved(1, false, {
    product: 'Waxed Field Backpack',
    shopper: BRIAN,
    rating: 5,
    title: 'Up Mount Kenya and down again',
    body: 'Two days of rain and the maps inside were dry. It smells of wax for a month, which I have come to like.',
  }),
  approved(0, true, {
    product: 'Two-Person Hammock',
    shopper: AMINA,
    rating: 3,
    title: 'Two persons, if they like each other',
    body: 'Well made, and the ropes are long enough for our trees. It is a hammock for one and a half.',
  }),
  {
    product: 'Highland Mug',
    shopper: WANJIRU,
    rating: 5,
    title: 'Bought a second one',
    body: 'The first went to my sister, who did not ask.',
    bought: true,
    votes: 0,
    verdict: null,
  },
  {
    product: 'Collar Carafe',
    shopper: TOM,
    rating: 1,
    title: 'Arrived with a crack',
    body: 'The leather collar is fine, the glass is not. I have written to the shop and they are sending another one.',
    bought: true,
    votes: 0,
    verdict: null,
  },
  {
    product: 'Elephant Grass Notebook',
    shopper: AMINA,
    rating: 4,
    title: 'Takes ink well',
    body: 'No bleeding with a medium nib. The paper has a mind of its own at the edges, and that is why I bought it.',
    bought: false,
    votes: 0,
    verdict: null,
  },
  {
    product: 'Trail Bottle',
    shopper: BRIAN,
    rating: 1,
    title: 'Cheaper elsewhere!!!',
    body: 'Do not buy here, look at my own shop instead.',
    bought: false,
    votes: 0,
    verdict: { rejected: 'It advertises another shop and says nothing about the bottle.' },
  },
];
