// The demo shop's conversations.
import { BRIAN, type DemoShopper, ZAWADI } from './shopper.ts';

export interface DemoThread {
  readonly shopper: DemoShopper;
  readonly subject: string;
  readonly messages: readonly { readonly from: 'shopper' | 'store'; readonly body: string }[];
  readonly settled: boolean;
}

export const THREADS: readonly DemoThread[] = [
  {
    shopper: ZAWADI,
    subject: 'Is the Highland Mug safe in the dishwasher?',
    messages: [
      {
        from: 'shopper',
        body: 'Hello! I love the Highland Mug, but none of us here washes up by hand. Does the glaze stand a dishwasher?',
      },
      {
        from: 'store',
        body: 'Karibu, Zawadi. It does: the clay is fired at 1,240 °C and the glaze is as hard as glass. Only leave a little room around it, so that rims do not knock together.',
      },
    ],
    settled: true,
  },
  {
    shopper: BRIAN,
    subject: 'Six mugs for a wedding',
    messages: [
      {
        from: 'shopper',
        body: 'We would like to give six Highland Mugs with the couple’s names under the foot. Is that something you do?',
      },
      {
        from: 'store',
        body: 'With pleasure. Names are carved before the first firing, so we need four weeks. When is the wedding?',
      },
      {
        from: 'shopper',
        body: 'On the last Saturday of next month, so that just fits. The names are Achieng and Daniel.',
      },
      { from: 'shopper', body: 'And could all six go into one box, please?' },
    ],
    settled: false,
  },
];
