// One promotion: its terms, conditions, time and targets.
import {
  at,
  FormSheet,
  goAfterSave,
  type ScreenForm,
  type ScreenProps,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useStore,
  useTranslation,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, StorePromotion } from '#proto/client/dashboard.ts';
import { PromotionActions } from './action.tsx';
import { changesOf, draftOf, emptyPromotion, type PromotionDraft, requestOf, TYPES } from './draft.ts';
import { PromotionBadge } from './list.tsx';
import { TargetFields } from './target_field.tsx';

const LABELS: Readonly<Record<Exclude<keyof PromotionDraft, 'version'>, string>> = {
  name: 'Name',
  translations: 'Names in other languages',
  code: 'Code',
  type: 'Kind',
  value: 'Value',
  currency: 'Currency',
  buy: 'Pieces to buy',
  get: 'Pieces then discounted',
  get_discount: 'Discount on those',
  product_ids: 'Products',
  category_ids: 'Categories',
  collection_ids: 'Collections',
  minimum_subtotal: 'Least subtotal',
  usage_limit: 'Orders that may use it',
  usage_limit_per_customer: 'Orders of one customer',
  stackable: 'Goes together with others',
  public: 'Shown to shoppers',
  starts_at: 'Starts',
  ends_at: 'Ends',
};

interface PartProps {
  readonly form: ScreenForm<PromotionDraft>;
}

const Gift = ({ form: { draft, field } }: PartProps) => {
  const type = field('type');
  return (
    <Sheet title="What it gives">
      <div class="columns">
        <SelectField
          label="Kind"
          options={TYPES}
          {...type}
          change={(value) => {
            const chosen = TYPES.find((each) => each.value === value);
            if (chosen) type.change(chosen.value);
          }}
        />
        {draft.type === 'percentage' && (
          <NumberField label="Percentage" required unit="%" min={0} max={100} {...field('value')} />
        )}
        {draft.type === 'fixed_amount' && (
          <NumberField label="Amount" required unit={draft.currency} min={0} {...field('value')} />
        )}
        {draft.type === 'buy_x_get_y' && (
          <>
            <NumberField label="Pieces to buy" required min={1} step={1} {...field('buy')} />
            <NumberField label="Pieces then discounted" required min={1} step={1} {...field('get')} />
            <NumberField label="Discount on those" unit="%" {...field('get_discount', 'get.discount_percent')} />
          </>
        )}
        <TextField
          label="Currency"
          advice="Baskets in this currency alone take part."
          {...field('currency')}
          autocomplete="off"
        />
      </div>
    </Sheet>
  );
};

const Condition = ({ form: { draft, field } }: PartProps) => {
  const { timezone } = useStore();
  return (
    <Sheet title="When it applies">
      <div class="columns">
        <NumberField label="Least subtotal" unit={draft.currency} min={0} {...field('minimum_subtotal')} />
        <NumberField label="Orders that may use it" min={1} step={1} {...field('usage_limit')} />
        <NumberField label="Orders of one customer" min={1} step={1} {...field('usage_limit_per_customer')} />
        <TextField label="Starts" type="datetime-local" advice={timezone} {...field('starts_at')} />
        <TextField label="Ends" type="datetime-local" advice={timezone} {...field('ends_at')} />
      </div>
      <div class="row">
        <CheckField label="Goes together with others" {...field('stackable')} />
        <CheckField label="Shown to shoppers" {...field('public')} />
      </div>
    </Sheet>
  );
};

interface FormProps {
  readonly saved: PromotionDraft;
  readonly action: string;
  readonly write: (
    api: DashboardApi,
    draft: PromotionDraft,
    changed: Partial<PromotionDraft>,
  ) => Promise<{ readonly promotion: StorePromotion }>;
  readonly reload?: (api: DashboardApi) => Promise<PromotionDraft>;
  readonly after: (promotion: StorePromotion) => void;
}

const PromotionForm = ({ saved, action, write, reload, after }: FormProps) => {
  const can = useCan();
  const form = useForm({
    saved,
    save: write,
    done: 'The promotion is saved.',
    next: ({ promotion }) => ({ version: promotion.updated_at }),
    ...(reload && { reload }),
    after: ({ promotion }) => after(promotion),
  });
  const { draft, field, set } = form;
  const { text, languageField } = useTranslation(form);
  const targets = {
    product_ids: field('product_ids', 'applies_to.product_ids'),
    category_ids: field('category_ids', 'applies_to.category_ids'),
    collection_ids: field('collection_ids', 'applies_to.collection_ids'),
  };
  return (
    <FormSheet form={form} labels={LABELS} action={action} canSave={can('promotions:write')}>
      <Sheet>
        {languageField}
        <div class="columns">
          <TextField label="Name" required {...text('name')} />
          <TextField label="Code" advice="Empty: it applies to every basket without a code." {...field('code')} />
        </div>
      </Sheet>
      <Gift form={form} />
      <Condition form={form} />
      <Sheet title="On what">
        <p class="soft">Nothing chosen: everything takes part.</p>
        <TargetFields targets={draft} change={set} problem={(name) => targets[name].problem} />
      </Sheet>
    </FormSheet>
  );
};

export const NewPromotion = () => {
  const { currency, timezone } = useStore();
  return (
    <div class="stack discounts">
      <PageHead title="New promotion" up={{ label: 'Discounts', to: at('discounts') }} />
      <PromotionForm
        saved={emptyPromotion(currency)}
        action="Create"
        write={(api, draft) => api.promotions.create(requestOf(draft, timezone))}
        after={({ id }) => goAfterSave(at(`discounts/${id}`))}
      />
    </div>
  );
};

export const PromotionScreen = ({ params: { id = '' } }: ScreenProps) => {
  const { timezone } = useStore();
  const { number } = useFormats();
  const can = useCan();
  const loaded = useRecord(async (api) => (await api.promotions.get({ id })).promotion, [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(promotion) => (
        <div class="stack discounts">
          <PageHead
            title={promotion.name}
            up={{ label: 'Discounts', to: at('discounts') }}
            badge={<PromotionBadge status={promotion.status} />}
          >
            {can('promotions:write') && <PromotionActions promotion={promotion} show={loaded.set} />}
          </PageHead>
          <p class="soft">Used by {number(promotion.times_used)} orders.</p>
          <PromotionForm
            key={promotion.id}
            saved={draftOf(promotion, timezone)}
            action="Save"
            write={(api, draft, changed) =>
              api.promotions.update({ id, version: draft.version, ...changesOf(draft, changed, timezone) })
            }
            reload={async (api) => draftOf((await api.promotions.get({ id })).promotion, timezone)}
            after={loaded.set}
          />
        </div>
      )}
    </WhenLoaded>
  );
};
