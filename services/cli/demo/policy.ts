// The demo shop's five policies.
import type { DemoPolicy } from './data.ts';

export const POLICIES: readonly DemoPolicy[] = [
  {
    type: 'terms',
    title: 'Terms of sale',
    body: `These terms apply when you buy from Jua & Udongo, a workshop and shop in Nairobi, Kenya.

**Your order.** When you place an order you ask to buy; when we send you the confirmation we agree to sell. If something turns out to be gone or wrongly priced, we tell you before we take money, and you decide.

**Prices.** Prices are in US dollars. Taxes and delivery are shown before you pay. Duties that your own country charges are yours to pay.

**Handmade things.** Our pots, weaves and bags are made by hand. Small differences in size, colour and surface are not faults; a crack, a leak or a broken seam is.

**Guarantee.** Where a product page names a guarantee, we mend or replace the thing within that time, or give the money back if we can do neither. Your rights by law stand beside this and are not made smaller by it.

**Whose law.** The law of Kenya applies, together with the consumer rights of the country you live in.`,
  },
  {
    type: 'privacy',
    title: 'What we know about you',
    body: `We keep what we need to sell you things and nothing that we would not like kept about ourselves.

**What we keep.** Your name, addresses, e-mail, telephone number, orders and the messages you write to us. We never see or keep card numbers; the payment provider does that.

**Why.** To deliver, to answer you, to honour guarantees, and because the tax office wants receipts for seven years.

**Who else sees it.** The courier sees your address, the payment provider your payment. Your details cannot be bought from us, because we do not sell them.

**Letters.** We write to you about your orders. The quarterly letter comes only if you asked for it, and each one has a link that ends it.

**Your say.** Ask us at karibu@jua-udongo.example for a copy of what we hold, to correct it, or to delete it. We answer within thirty days.`,
  },
  {
    type: 'returns',
    title: 'Returns',
    body: `You have thirty days from the day a parcel arrives to change your mind.

**How.** Ask for the return from your order or write to us; we send the address and, within Kenya, a label. Pack it as well as we did.

**In what state.** Unused, and with its parts. Trying a mug in your hand is not use; breakfast is. Coffee and candles come back only if their seal is whole.

**Faulty or wrong.** If it was broken, faulty or not what you ordered, the return costs you nothing and the thirty days do not matter: write to us whenever you notice.

**Exchanges.** Another colour or size is welcome while we have it. Choose "exchange" when you ask for the return.`,
  },
  {
    type: 'shipping',
    title: 'Delivery',
    body: `Parcels leave the workshop on Lower Kabete Road every working day at four.

**Nairobi.** Next working day, or collect it from us for nothing.

**Kenya, Uganda, Tanzania, Rwanda.** Two to five working days.

**Everywhere else.** Six to twelve working days by tracked air parcel. Large planters and lamps may travel a little longer.

**Following it.** You get a tracking number as soon as the courier has it. If a parcel has not moved for five working days, tell us and we will chase it; if it is lost, we send another or give the money back.

**Packaging.** Paper, straw and returnable sisal sacks. If you bring a sack back, the next coffee is ours.`,
  },
  {
    type: 'refund',
    title: 'Refunds',
    body: `When a return reaches us we look at it within three working days and refund it on the same day.

**Where it goes.** To whatever you paid with. What was paid by gift card or store credit goes back there.

**How much.** The price of the thing and, if the whole order comes back, the standard delivery you paid. Express delivery and return postage for a change of mind are not refunded.

**When you see it.** Cards take three to ten days, mobile money usually minutes, store credit at once.

**Partly worn.** If something comes back used, we may refund part of it. We tell you how much, and why, before we do.`,
  },
];
