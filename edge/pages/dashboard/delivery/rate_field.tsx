// The fields of a delivery rate: fee, weights, surcharges of categories, and other ways of delivery.
import type { ComponentChildren } from 'preact';
import { textBinding, useRecord, useStore } from '#edge/pages/dashboard/page.ts';
import { categoryOptions } from '#edge/pages/dashboard/product/category_choice.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { BandDraft, OptionDraft, RateDraft, RuleDraft } from './rate.ts';

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly change: (rows: readonly Row[]) => void;
  /** Read aloud with the row's buttons: “weight”. */
  readonly noun: string;
  readonly empty: Row;
  readonly children: (row: Row, at: number, set: (part: Partial<Row>) => void) => ComponentChildren;
}

const Rows = <Row,>({ rows, change, noun, empty, children }: RowsProps<Row>) => (
  <>
    {rows.map((row, at) => (
      <fieldset key={at} class="rate-row">
        <legend class="unseen">
          {noun} {at + 1}
        </legend>
        {children(row, at, (part) => change(rows.map((each, index) => (index === at ? { ...each, ...part } : each))))}
        <IconButton
          icon="remove"
          label={`Remove ${noun} ${at + 1}`}
          press={() => change(rows.filter((_, index) => index !== at))}
        />
      </fieldset>
    ))}
    <div class="row">
      <Button icon="add" press={() => change([...rows, empty])}>
        Add {noun}
      </Button>
    </div>
  </>
);

interface RateFieldsProps {
  readonly rate: RateDraft;
  /** Language of the texts; empty for the store's default one. */
  readonly language: string;
  readonly change: (rate: RateDraft) => void;
  /** The refusal of a field below the rate: `fee`, `options[0].name`. */
  readonly problem: (path: string) => string | undefined;
}

const WEIGHT: BandDraft = { up_to_grams: null, fee: null };
const OPTION: OptionDraft = {
  id: null,
  name: '',
  fee: null,
  minimum_order: null,
  free_threshold: null,
  estimate: '',
  translations: {},
};

const Weights = ({ rate, change, problem }: RateFieldsProps) => {
  const { currency } = useStore();
  return (
    <Sheet title="By weight">
      <p class="soft">The first weight that holds the basket gives the fee. Begin with the lightest.</p>
      <Rows
        noun="weight"
        empty={WEIGHT}
        rows={rate.weight_bands}
        change={(weight_bands) => change({ ...rate, weight_bands })}
      >
        {(band, at, set) => (
          <>
            <NumberField
              label="Up to"
              unit="g"
              step={1}
              min={1}
              value={band.up_to_grams}
              change={(up_to_grams) => set({ up_to_grams })}
              problem={problem(`weight_bands[${at}].up_to_grams`)}
            />
            <NumberField
              label="Fee"
              unit={currency}
              min={0}
              value={band.fee}
              change={(fee) => set({ fee })}
              problem={problem(`weight_bands[${at}].fee`)}
            />
          </>
        )}
      </Rows>
    </Sheet>
  );
};

const Surcharges = ({ rate, change, problem }: RateFieldsProps) => {
  const { currency } = useStore();
  const tree = useRecord(async (api) => (await api.categories.list()).categories, []).value ?? [];
  const options = categoryOptions(tree);
  const empty: RuleDraft = { category_id: options[0]?.value ?? '', surcharge: null };
  return (
    <Sheet title="Surcharges of categories">
      <Rows
        noun="surcharge"
        empty={empty}
        rows={rate.category_rules}
        change={(category_rules) => change({ ...rate, category_rules })}
      >
        {(rule, at, set) => (
          <>
            <SelectField
              label="Category"
              options={options}
              value={rule.category_id}
              change={(category_id) => set({ category_id })}
              problem={problem(`category_rules[${at}].category_id`)}
            />
            <NumberField
              label="Surcharge"
              unit={currency}
              min={0}
              value={rule.surcharge}
              change={(surcharge) => set({ surcharge })}
              problem={problem(`category_rules[${at}].surcharge`)}
            />
          </>
        )}
      </Rows>
    </Sheet>
  );
};

const Options = ({ rate, language, change, problem }: RateFieldsProps) => {
  const { currency } = useStore();
  const textFor = (
    record: OptionDraft,
    at: number,
    set: (part: Partial<OptionDraft>) => void,
    name: 'name' | 'estimate',
  ) => textBinding({ record, language, name, change: set, problemAt: (path) => problem(`options[${at}].${path}`) });
  return (
    <Sheet title="Other ways of delivery">
      <Rows noun="option" empty={OPTION} rows={rate.options} change={(options) => change({ ...rate, options })}>
        {(option, at, set) => (
          <>
            <TextField label="Name" {...textFor(option, at, set, 'name')} />
            <NumberField
              label="Fee"
              unit={currency}
              min={0}
              value={option.fee}
              change={(fee) => set({ fee })}
              problem={problem(`options[${at}].fee`)}
            />
            <NumberField
              label="From an order of"
              unit={currency}
              min={0}
              value={option.minimum_order}
              change={(minimum_order) => set({ minimum_order })}
              problem={problem(`options[${at}].minimum_order`)}
            />
            <NumberField
              label="Free from"
              unit={currency}
              min={0}
              value={option.free_threshold}
              change={(free_threshold) => set({ free_threshold })}
              problem={problem(`options[${at}].free_threshold`)}
            />
            <TextField label="Time" placeholder="today" {...textFor(option, at, set, 'estimate')} />
          </>
        )}
      </Rows>
    </Sheet>
  );
};

export const RateFields = (props: RateFieldsProps) => {
  const { rate, language, change, problem } = props;
  const { currency } = useStore();
  return (
    <>
      <Sheet title="What delivery costs">
        <div class="columns">
          <NumberField
            label="Delivery fee"
            required
            unit={currency}
            min={0}
            value={rate.fee}
            change={(fee) => change({ ...rate, fee })}
            problem={problem('fee')}
          />
          <NumberField
            label="Free delivery from an order of"
            unit={currency}
            min={0}
            value={rate.free_threshold}
            change={(free_threshold) => change({ ...rate, free_threshold })}
            problem={problem('free_threshold')}
          />
          <TextField
            label="Delivery time"
            placeholder="1-2 days"
            {...textBinding({
              record: rate,
              language,
              name: 'estimate',
              change: (part) => change({ ...rate, ...part }),
              problemAt: problem,
            })}
          />
          <NumberField
            label="Arrives after at least"
            unit="working days"
            min={0}
            step={1}
            value={rate.estimate_days.min}
            change={(min) => change({ ...rate, estimate_days: { ...rate.estimate_days, min } })}
            problem={problem('estimate_days.min')}
          />
          <NumberField
            label="Arrives after at most"
            unit="working days"
            min={0}
            step={1}
            value={rate.estimate_days.max}
            change={(max) => change({ ...rate, estimate_days: { ...rate.estimate_days, max } })}
            problem={problem('estimate_days.max')}
          />
        </div>
      </Sheet>
      <Weights {...props} />
      <Surcharges {...props} />
      <Options {...props} />
    </>
  );
};
