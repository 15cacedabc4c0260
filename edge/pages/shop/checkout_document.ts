// Renders an open checkout for its buyer: items, missing details and payment methods. Pure.

import { money } from '#edge/pages/amount.ts';
import { arrivalOf, deliveryName, isDeliveryFree, zoneOf } from '#edge/pages/storefront/delivery.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { PaymentMethod } from '#proto/gen/payment.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import { countries } from '#values/country.ts';
import type { AddressKind, Field, Fields, FormError } from './checkout_form.ts';
import { CODES_FIELD, type GiftCards } from './gift_card.ts';
import { html, type Markup } from './markup.ts';
import { type PageContext, shopDocument } from './page_document.ts';
import { lines, moment, totals } from './receipt.ts';

export const providerRedirectDocument = (page: PageContext, url: string): string =>
  shopDocument(
    page,
    'Continue to payment',
    html`<main class="paper"><section>
<h1>Continue to payment</h1>
<p>You pay at ${new URL(url).host}, and come back here afterwards.</p>
<p><a class="button go" href="${url}" rel="noreferrer">Continue</a></p>
</section></main>`,
  );

export interface OpenCheckout {
  readonly intent: CheckoutIntent;
  readonly fields: Fields;
  readonly methods: readonly PaymentMethod[];
  readonly error: FormError | null;
  readonly cards: GiftCards;
}

interface Input {
  readonly field: Field;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly max?: number;
}

const names = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES = [...countries]
  .map((code): readonly [string, string] => [code, names.of(code) ?? code])
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));

const MISSING: Readonly<Record<string, string>> = {
  missing_email: 'your e-mail address',
  missing_address: 'a delivery address',
  missing_shipping_option: 'a delivery method',
};

const idOf = (field: Field): string => field.replace('.', '-');

const errorText = (field: Field, error: FormError | null): Markup | false =>
  error?.field === field && html`<span class="wrong" id="${idOf(field)}-wrong">${error.text}</span>`;

const errorAttributes = (field: Field, error: FormError | null): Markup | false =>
  error?.field === field && html` aria-invalid="true" aria-describedby="${idOf(field)}-wrong" autofocus`;

const input = ({ fields, error }: OpenCheckout, definition: Input): Markup => {
  const { field, label, type = 'text', autocomplete = 'off', required = false, max = 200 } = definition;
  return html`<label>${label}
<input id="${idOf(field)}" name="${field}" type="${type}" value="${fields[field]}" maxlength="${max}" autocomplete="${autocomplete}"${required && html` required`}${errorAttributes(field, error)}>
${errorText(field, error)}</label>`;
};

const contact = (open: OpenCheckout): Markup => html`<section>
<h2>Contact</h2>
<div class="pair">
${input(open, { field: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', required: true, max: 254 })}
${input(open, { field: 'buyer.phone', label: 'Phone (optional)', type: 'tel', autocomplete: 'tel', max: 40 })}
${input(open, { field: 'buyer.first_name', label: 'First name (optional)', autocomplete: 'given-name', max: 100 })}
${input(open, { field: 'buyer.last_name', label: 'Last name (optional)', autocomplete: 'family-name', max: 100 })}
</div>
</section>`;

const country = ({ fields, error }: OpenCheckout, kind: AddressKind, preset: string): Markup => {
  const field = `${kind}.country` as const;
  const chosen = fields[field] || preset;
  return html`<label>Country
<select id="${idOf(field)}" name="${field}" autocomplete="${SECTIONS[kind]} country"${kind === 'shipping_address' && html` required`}${errorAttributes(field, error)}>
<option value="">Choose</option>
${COUNTRIES.map(([code, name]) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`)}
</select>
${errorText(field, error)}</label>`;
};

const SECTIONS = { shipping_address: 'shipping', billing_address: 'billing' } as const;

const addressInputs = (kind: AddressKind): readonly Input[] => {
  const part = (name: string, label: string, autocomplete: string, more: Partial<Input> = {}): Input => ({
    field: `${kind}.${name}` as Field,
    label,
    autocomplete: `${SECTIONS[kind]} ${autocomplete}`,
    ...more,
  });
  // A bill's fields stay empty where the bill goes with the parcel.
  const required = kind === 'shipping_address';
  return [
    part('first_name', 'First name (optional)', 'given-name', { max: 100 }),
    part('last_name', 'Last name (optional)', 'family-name', { max: 100 }),
    part('line1', 'Street and number', 'address-line1', { required }),
    part('line2', 'Flat, floor (optional)', 'address-line2'),
    part('postal_code', 'Postal code (optional)', 'postal-code', { max: 16 }),
    part('city', 'Town or city', 'address-level2', { required, max: 100 }),
    part('state', 'State or county (where the country has them)', 'address-level1', { max: 100 }),
    part('company', 'Company (optional)', 'organization'),
  ];
};

const address = (open: OpenCheckout, kind: AddressKind, preset: string): Markup => html`<div class="pair">
${addressInputs(kind).map((field) => input(open, field))}
${country(open, kind, preset)}
</div>`;

const billing = (open: OpenCheckout): Markup => {
  const { intent, error } = open;
  const shown = intent.billing_address !== null || error?.field?.startsWith('billing_address') === true;
  return html`<section>
<details class="folded"${shown && html` open`}>
<summary>${intent.requires_shipping ? 'The billing address differs' : 'Billing address (optional)'}</summary>
${address(open, 'billing_address', '')}
</details>
</section>`;
};

const contactAndAddress = (open: OpenCheckout, preset: string): Markup => {
  const { intent, error } = open;
  const fields = html`${contact(open)}
${intent.requires_shipping && html`<section><h2>Delivery address</h2>${address(open, 'shipping_address', preset)}</section>`}
${billing(open)}`;
  if (intent.status !== 'ready' || error) return fields;
  const { email, shipping_address: to } = intent;
  const location = [email, to?.line1, to?.city].filter(Boolean).join(', ');
  return html`<details class="folded">
<summary>${location} <span class="soft">Change</span></summary>
${fields}
</details>`;
};

const optionDetails = (choice: ShippingChoice): string => {
  const { id, name, location } = choice;
  const pickup = location && [location.address.line1, location.address.city].filter(Boolean).join(', ');
  return [zoneOf(id, name), pickup, arrivalOf(choice)].filter(Boolean).join(' · ');
};

const delivery = ({ intent, fields, error }: OpenCheckout): Markup | false => {
  const field = 'shipping_option_id';
  if (intent.shipping_options.length === 0) return false;
  const free = isDeliveryFree(intent);
  return html`<section>
<fieldset${error?.field === field && html` aria-describedby="${field}-wrong"`}>
<legend>Delivery method</legend>
${errorText(field, error)}
${intent.shipping_options.map(
  (choice) => html`<label class="choice">
<input type="radio" name="${field}" value="${choice.id}"${choice.id === fields[field] && html` checked`}${!choice.available && html` disabled`}>
<span>${deliveryName(choice.id, choice.name)}${optionDetails(choice) && html`<br><small>${optionDetails(choice)}</small>`}</span>
<span class="amount">${free || choice.is_free || choice.fee === 0 ? 'Free' : money(choice.fee, choice.currency)}</span>
</label>`,
)}
</fieldset>
</section>`;
};

const codesAndNote = (open: OpenCheckout): Markup => {
  const { fields, intent, cards } = open;
  return html`<section>
<h2>Anything else</h2>
<div class="ways">
${input(open, { field: 'promotion_codes', label: 'Promotion codes (optional)', max: 500 })}
${intent.rejected_codes.map(({ code, reason }) => html`<p class="wrong">${code}: ${reason}</p>`)}
<label>Gift cards (optional)
<input name="${CODES_FIELD}" value="${cards.codes.join(' ')}" maxlength="500" autocomplete="off" autocapitalize="characters"></label>
<label>Note to the store (optional)<textarea name="note" maxlength="2000">${fields.note}</textarea></label>
</div>
</section>`;
};

const asksPhone = ({ type }: PaymentMethod): boolean => type === 'push';

const payment = (page: PageContext, { intent, methods, fields, cards }: OpenCheckout): Markup => {
  const { currency } = intent;
  const { due } = cards;
  if (due === 0)
    return html`<section><h2>Nothing to pay</h2><button class="go" name="do" value="place">Place the order</button></section>`;
  const total = money(due, currency);
  const simulated = page.environment === 'sandbox' && cards.codes.length === 0;
  if (methods.length === 0)
    return html`<section><h2>Payment</h2><p>${page.shop.name} takes no payments here yet. Write to the store to buy.</p></section>`;
  return html`<section>
<h2>Pay ${total}</h2>
<div class="ways">
${simulated && html`<button class="go" name="do" value="card">Pay ${total} with a test card</button>`}
${methods.some(asksPhone) && html`<label>Phone number (for payments by phone)<input name="payment_phone" type="tel" inputmode="numeric" maxlength="20" placeholder="254700000000" value="${fields['buyer.phone'].replace(/\D/g, '')}"></label>`}
${methods.map(({ provider, name }) => html`<button${!simulated && html` class="go"`} name="do" value="pay:${provider}">Pay by ${name}</button>`)}
${simulated && html`<button class="no" name="do" value="declined">Try a test card that is declined</button>`}
</div>
<p class="soft">By paying you place the order.</p>
</section>`;
};

const giftCardRows = ({ payments, due }: GiftCards): Readonly<Record<string, number>> =>
  payments.length === 0
    ? {}
    : {
        ...Object.fromEntries(payments.map(({ last4, amount }) => [`Gift card …${last4}`, -amount])),
        'Left to pay': due,
      };

const missing = ({ intent: { requirements } }: OpenCheckout): Markup | false => {
  const parts = requirements.map(({ code }) => MISSING[code]).filter((part) => part !== undefined);
  const nowhere = requirements.some(({ code }) => code === 'not_deliverable');
  if (nowhere)
    return html`<p class="note no" role="status">The store does not deliver to this address. Try another one.</p>`;
  if (parts.length === 0) return false;
  const listed = new Intl.ListFormat('en').format(parts);
  return html`<p class="note" role="status">Still needed: ${listed}.</p>`;
};

export const openCheckoutDocument = (page: PageContext, open: OpenCheckout): string => {
  const { intent, error, cards } = open;
  const ready = intent.status === 'ready';
  const { shipping_option_id: way, requires_shipping } = intent;
  const sum = {
    ...intent,
    total: intent.grand_total,
    shipping_total: way || !requires_shipping ? intent.shipping_total : null,
  };
  const main = html`<main class="two">
<div class="sum">
<h1>Your order</h1>
<p class="soft">Held for you until ${moment(intent.expires_at)}.${intent.agent && html` Prepared by ${intent.agent.name}.`}</p>
${lines(intent.lines, intent.currency)}
${totals(sum, giftCardRows(cards))}
</div>
<form method="post">
${error && html`<p class="note no" role="alert">${error.text}</p>`}
${missing(open)}
${contactAndAddress(open, page.shop.country ?? '')}
${delivery(open)}
${codesAndNote(open)}
<input type="hidden" name="total" value="${intent.grand_total}">
<button${!ready && html` class="go"`} name="do" value="save">${ready ? 'Save changes' : 'Continue'}</button>
${ready && payment(page, open)}
</form>
</main>`;
  return shopDocument(page, 'Checkout', main);
};
