// The demo shop's blog posts.
import type { CreatePostRequest } from '#proto/gen/blog.ts';

export interface DemoPost extends Pick<CreatePostRequest, 'title'> {
  readonly slug: string;
  readonly excerpt: string;
  readonly body: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly scene: string;
  /** Days since publication; negative for a scheduled post. */
  readonly daysAgo: number;
}

export const POSTS: readonly DemoPost[] = [
  {
    title: 'A kettle, a cone and four minutes',
    slug: 'a-kettle-a-cone-and-four-minutes',
    excerpt:
      'The pour-over that we make at the workshop every morning, with the numbers we have stopped arguing about.',
    body: [
      'No one at the workshop is allowed near the kiln before coffee. This is how it is made.',
      '## What you need',
      '- 18 g of beans, ground a little coarser than table salt\n- 300 g of water, just off the boil\n- a cone, a paper and something with a thin spout',
      '## What you do',
      '1. Rinse the paper. It takes the cardboard out of the cup and warms the carafe.\n2. Pour 50 g and wait for half a minute while the grounds rise.\n3. Pour the rest in slow circles, never on the paper.',
      'If it is done before three minutes, grind finer. If it is still dripping after four, grind coarser. **Change one thing at a time**, or you will learn nothing and drink it anyway.',
    ].join('\n\n'),
    author: 'Wanjiru Kamau',
    tags: ['Coffee', 'How to'],
    scene: 'slow-mornings',
    daysAgo: 3,
  },
  {
    title: 'What sunset means at the loom',
    slug: 'what-sunset-means-at-the-loom',
    excerpt: 'Why one of our blankets takes eleven colours, and why the eleventh is the one that runs out.',
    body: [
      'The blanket called *Sunset* began as a photograph of the Rift at six in the evening. It was a poor photograph. The wool has done better.',
      '> A colour beside another colour is a third one. That is the whole trade.',
      'Ten of its colours come from the dye-house by the bale. The eleventh is what is left in the vats at the end of the week, and it is never the same twice. Hold two of them side by side and you will see which week you bought.',
      '## Looking after it',
      'Wash it cold, spin it slowly, dry it flat. Wool forgives nearly everything else.',
    ].join('\n\n'),
    author: 'Naliaka Wekesa',
    tags: ['Craft', 'Textiles'],
    scene: 'new-season',
    daysAgo: 17,
  },
  {
    title: 'Supper for eleven, from one pot',
    slug: 'supper-for-eleven-from-one-pot',
    excerpt: 'Four were invited. Here is what to do about the other seven.',
    body: [
      'Start with more onions than seems decent, and give them half an hour. Everything that follows is forgiving.',
      '1. A spoon of the seven spices into the onions, until the neighbours can smell it.\n2. Tomatoes, beans, and water to cover.\n3. An hour with the lid on. Two if the talk is good.',
      'Bread stretches it to eight, rice to eleven. Put the salt on the table and let people be responsible for themselves.',
    ].join('\n\n'),
    author: 'Amina Yusuf',
    tags: ['Kitchen', 'How to'],
    scene: 'long-table',
    daysAgo: 31,
  },
  {
    title: 'Notes from under the jacaranda',
    slug: 'notes-from-under-the-jacaranda',
    excerpt: 'It flowers for three weeks. We have made plans.',
    body: [
      'By the time you read this the verandah will be purple and no one will be sweeping it.',
      'We are putting the hammock up, the planters out and the telephones in a drawer. The shop stays open; it will simply answer a little more slowly between two and four.',
    ].join('\n\n'),
    author: 'Wanjiru Kamau',
    tags: ['News'],
    scene: 'under-the-jacaranda',
    daysAgo: -7,
  },
];
