// The language of a form's texts: a switch at the top of the form, and fields that show and change the texts in it.
import { useState } from 'preact/hooks';
import { SelectField } from '#edge/pages/design/field.tsx';
import type { BoundField, ScreenForm } from './form.tsx';
import { languageName } from './language_name.ts';
import { useRecord } from './record.ts';
import { type TranslatedDraft, textIn, withText } from './translation_draft.ts';

interface LanguageFieldProps {
  /** Empty for the store's default language. */
  readonly value: string;
  readonly change: (language: string) => void;
}

/** Shows nothing for a store with one language. */
export const LanguageField = ({ value, change }: LanguageFieldProps) => {
  const { value: read } = useRecord((api) => api.store.get({ fields: ['language', 'languages'] }), []);
  if (!read || read.store.languages.length === 0) return null;
  const options = [
    { value: '', label: languageName(read.store.language) },
    ...read.store.languages.map((language) => ({ value: language, label: languageName(language) })),
  ];
  return <SelectField label="Language" value={value} change={change} options={options} />;
};

/** Properties of a text's field. A translation may be empty: the default text is then read, which `advice` shows. */
interface TextBinding extends BoundField<string> {
  readonly required?: false;
  readonly advice?: string;
}

/** Names of the draft's fields that are texts. */
type TextName<Draft> = { [K in keyof Draft & string]: Draft[K] extends string ? K : never }[keyof Draft & string];

const ADVICE_LENGTH_MAX = 200;

const pathOf = (language: string, name: string): string =>
  /^[A-Za-z]+$/.test(language) ? `translations.${language}.${name}` : `translations["${language}"].${name}`;

/** `text` binds a field to the draft's text, or to its translation into the chosen language. */
export const useTranslation = <Draft extends TranslatedDraft>(form: ScreenForm<Draft>) => {
  const [language, choose] = useState('');
  const text = (name: TextName<Draft>): TextBinding => {
    const own = String(form.draft[name]);
    if (language === '') return { ...form.field(name), value: own, change: (value) => set({ [name]: value }) };
    const { problem } = form.field('translations', pathOf(language, name));
    return {
      value: textIn(form.draft, language, name),
      change: (value) => set({ translations: withText(form.draft.translations, language, name, value) }),
      problem,
      required: false,
      ...(own.length > 0 && own.length <= ADVICE_LENGTH_MAX && { advice: own }),
    };
  };
  const set = (changed: object): void => form.set(changed as Partial<Draft>);
  return { text, languageField: <LanguageField value={language} change={choose} /> };
};
