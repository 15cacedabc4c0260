// The rate for everywhere else.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  goAfterSave,
  LanguageField,
  problemAt,
  useCan,
  useForm,
  useRecord,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField } from '#edge/pages/design/field.tsx';
import type { ShippingConfig } from '#proto/client/dashboard.ts';
import { replaceConfig } from './config.ts';
import { EMPTY_RATE, type RateDraft, rateDraftOf, rateOf } from './rate.ts';
import { RateFields } from './rate_field.tsx';

interface FallbackDraft {
  readonly offered: boolean;
  readonly rate: RateDraft;
  readonly version: ShippingConfig;
}

const draftOf = (config: ShippingConfig): FallbackDraft => ({
  offered: config.fallback !== null,
  rate: config.fallback === null ? EMPTY_RATE : rateDraftOf(config.fallback.rate),
  version: config,
});

const FallbackForm = ({ config }: { readonly config: ShippingConfig }) => {
  const can = useCan();
  const [language, choose] = useState('');
  const form = useForm({
    saved: draftOf(config),
    save: (api, { offered, rate, version }) =>
      replaceConfig(api, version, (found) => ({ ...found, fallback: offered ? { rate: rateOf(rate) } : null })),
    done: 'The rate is saved.',
    reload: async (api) => draftOf(await api.shipping.config.get()),
    after: () => goAfterSave(at('delivery')),
  });
  return (
    <FormSheet
      form={form}
      labels={{ offered: 'Deliver everywhere else too', rate: 'Rate' }}
      canSave={can('shipping:write')}
    >
      <Sheet>
        <LanguageField value={language} change={choose} />
        <CheckField
          label="Deliver everywhere else too"
          advice="To every place that is in no zone and in no distance."
          {...form.field('offered')}
        />
      </Sheet>
      {form.draft.offered && (
        <RateFields
          rate={form.draft.rate}
          language={language}
          change={(rate) => form.set({ rate })}
          problem={(field) => problemAt(form.problem, `fallback.rate.${field}`)}
        />
      )}
    </FormSheet>
  );
};

export const FallbackScreen = () => {
  const loaded = useRecord((api) => api.shipping.config.get(), []);
  return (
    <div class="stack delivery">
      <PageHead title="Everywhere else" up={{ label: 'Delivery', to: at('delivery') }} />
      <WhenLoaded loaded={loaded}>{(config) => <FallbackForm config={config} />}</WhenLoaded>
    </div>
  );
};
