// Languages of the store: the default one, in which its texts are written, and those into which they are translated.
import { useState } from 'preact/hooks';
import { languageName } from '#edge/pages/dashboard/language_name.ts';
import { FormSheet, useCan, useDashboard, useForm, useRecord, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

/** Languages to choose from. Any other one is typed as its tag. */
const TAGS = [
  'ar',
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hi',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'sv',
  'sw',
  'tr',
  'zh',
];

const optionsFor = (own: string) =>
  [...new Set([own, ...TAGS])]
    .map((tag) => ({ value: tag, label: languageName(tag) }))
    .sort((a, b) => a.label.localeCompare(b.label));

interface LanguageDraft {
  readonly version: string;
  readonly language: string;
  readonly languages: readonly string[];
}

interface FormProps {
  readonly saved: LanguageDraft;
  readonly after: () => void;
}

const readLanguages = async (api: DashboardApi): Promise<LanguageDraft> => {
  const { language, languages, updated_at } = (await api.store.get({ fields: ['language', 'languages', 'updated_at'] }))
    .store;
  return { language, languages, version: updated_at ?? '' };
};

const LABELS = { language: 'Default language', languages: 'Other languages' };

const LanguageForm = ({ saved, after }: FormProps) => {
  const can = useCan();
  const isEditable = can('store:write');
  const [typed, setTyped] = useState('');
  const form = useForm({
    saved,
    save: (api, draft) => api.store.update(draft),
    next: ({ store }) => ({ version: store.updated_at ?? '' }),
    reload: readLanguages,
    done: 'The languages are saved.',
    after,
  });
  const { draft, set, field } = form;
  const add = (): void => {
    const tag = typed.trim();
    if (tag !== '' && !draft.languages.includes(tag)) set({ languages: [...draft.languages, tag] });
    setTyped('');
  };
  return (
    <FormSheet form={form} labels={LABELS} canSave={isEditable}>
      <Sheet>
        <SelectField
          label="Default language"
          advice="The texts are written in it. A change translates nothing."
          options={optionsFor(saved.language)}
          {...field('language')}
        />
        <ul class="plain" aria-label="Other languages">
          {draft.languages.map((tag) => (
            <li key={tag} class="row between">
              <span>
                {languageName(tag)} <span class="soft">{tag}</span>
              </span>
              {isEditable && (
                <Button tone="quiet" press={() => set({ languages: draft.languages.filter((each) => each !== tag) })}>
                  Remove<span class="unseen"> {languageName(tag)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
        {isEditable && (
          <div class="row">
            <TextField label="Other language" advice="A tag, such as de or pt-BR." value={typed} change={setTyped} />
            <Button press={add}>Add</Button>
          </div>
        )}
      </Sheet>
    </FormSheet>
  );
};

export const Languages = () => {
  const { refreshStore } = useDashboard();
  const loaded = useRecord(readLanguages, []);
  return (
    <>
      <SettingsHead title="Languages" />
      <WhenLoaded loaded={loaded}>
        {(saved) => (
          <LanguageForm
            saved={saved}
            after={() => {
              void refreshStore();
              loaded.refresh();
            }}
          />
        )}
      </WhenLoaded>
    </>
  );
};
