// A basket to try promotions on: its prices line by line, step by step, and which codes apply.
import { useState } from 'preact/hooks';
import { type ChosenLine, ChosenLines, ProductPicker, withVariant } from '#edge/pages/dashboard/order/item_picker.tsx';
import { at, useFormats, useRecord, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { QueryPricesResponse, ServerApi } from '#proto/client/dashboard.ts';
import { DiscountTabs } from './tab.tsx';

const STEPS = { base: 'Base price', sale: 'Sale price', price_list: 'Price list' } as const;

const codesOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((code) => code !== '');

const Trace = ({ priced, names }: { readonly priced: QueryPricesResponse; readonly names: readonly string[] }) => {
  const formats = useFormats();
  const money = (amount: number): string => formats.money(amount, priced.currency);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a table that is wider than a telephone
    <section class="table-room" aria-label="Scrollable prices" tabIndex={0}>
      <table class="table" aria-label="Prices line by line">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Price of one</th>
            <th scope="col" class="number">
              Subtotal
            </th>
            <th scope="col" class="number">
              Discount
            </th>
            <th scope="col" class="number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {priced.lines.map((line, index) => (
            <tr key={line.variant_id}>
              <td>
                {formats.number(line.quantity)} × {names[index]}
              </td>
              <td>
                <ol class="price-steps">
                  {line.trace.map(({ step, amount }) => (
                    <li key={step}>
                      {STEPS[step]}: {money(amount)}
                    </li>
                  ))}
                </ol>
              </td>
              <td class="number">{money(line.subtotal)}</td>
              <td class="number">{money(-line.discount)}</td>
              <td class="number">{money(line.total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Together
            </th>
            <td class="number">{money(priced.subtotal)}</td>
            <td class="number">{money(-priced.discount_total)}</td>
            <td class="number">
              <b>{money(priced.total)}</b>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
};

const Applied = ({ priced }: { readonly priced: QueryPricesResponse }) => {
  const { money } = useFormats();
  return (
    <>
      {priced.applied_promotions.map(({ promotion_id, title, code, amount }) => (
        <div key={promotion_id} class="row between">
          <span>
            <a href={at(`discounts/${promotion_id}`)}>{title}</a>{' '}
            <span class="soft">{code === null ? 'without a code' : `by code ${code}`}</span>
          </span>
          <b>{money(-amount, priced.currency)}</b>
        </div>
      ))}
      {priced.applied_promotions.length === 0 && <p class="soft">No promotion applies to this basket.</p>}
      {priced.rejected_codes.map(({ code, reason }) => (
        <Note key={code} tone="warn">
          <b>{code} does not apply.</b>
          <span>{reason}</span>
        </Note>
      ))}
    </>
  );
};

interface Basket {
  readonly lines: readonly ChosenLine[];
  readonly codes: readonly string[];
  readonly group: string;
  readonly currency: string;
}

const price = (api: ServerApi, { lines, codes, group, currency }: Basket): Promise<QueryPricesResponse> =>
  api.pricing.query({
    items: lines.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
    promotion_codes: codes,
    ...(group === '' ? {} : { customer_group: group }),
    ...(currency === '' ? {} : { currency }),
  });

const Result = (basket: Basket) => {
  const loaded = useRecord((api) => price(api, basket), [JSON.stringify(basket)]);
  return (
    <>
      <Sheet title="Promotions that apply">
        <WhenLoaded loaded={loaded}>{(priced) => <Applied priced={priced} />}</WhenLoaded>
      </Sheet>
      {loaded.value && (
        <Sheet title="How the prices came about" flush>
          <Trace priced={loaded.value} names={basket.lines.map(({ name }) => name)} />
        </Sheet>
      )}
    </>
  );
};

export const BasketTrial = () => {
  const [lines, setLines] = useState<readonly ChosenLine[]>([]);
  const [codes, setCodes] = useState('');
  const [group, setGroup] = useState('');
  const [currency, setCurrency] = useState('');
  return (
    <div class="stack discounts">
      <PageHead title="Discounts" />
      <DiscountTabs />
      <Sheet title="A basket to try promotions on">
        <ProductPicker pick={(found) => setLines(withVariant(lines, found))} />
        <ChosenLines lines={lines} change={setLines} />
        <div class="columns">
          <TextField label="Codes" advice="Separated by commas." value={codes} change={setCodes} />
          <TextField label="Customer group" advice="Empty: everybody's prices." value={group} change={setGroup} />
          <TextField label="Currency" advice="Empty: the store's own." value={currency} change={setCurrency} />
        </div>
      </Sheet>
      {lines.length > 0 && (
        <Result lines={lines} codes={codesOf(codes)} group={group.trim()} currency={currency.trim()} />
      )}
    </div>
  );
};
